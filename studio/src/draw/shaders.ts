/** One shader draws everything: capsules with outline, their shadows, lines, the ground. */

export const KIND = { ground: 0, shadow: 1, outline: 2, fill: 3, line: 4, groundLine: 5, light: 6 } as const;

/** The width of the textures: of places of nodes, four numbers each, and of shapes, eight numbers in two texels. */
export const TEXTURE_WIDTH = 1024;

export const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D places;
uniform usampler2D shapes; // of each the two nodes, the kind, the colour; then its two radii
uniform mat4 viewFromWorld;
uniform mat4 clipFromView;
uniform vec2 size;      // of the cell, in pixels
uniform float ratio;    // pixels to one of the page's
uniform vec2 centre;    // of the ground, x and z
flat out vec2 a;
flat out vec2 b;
flat out vec2 r;
flat out vec4 colour;
flat out uint kind;
flat out float pixel;
out vec2 at;

vec3 place(uint node) {
  return texelFetch(places, ivec2(int(node) % ${TEXTURE_WIDTH}, int(node) / ${TEXTURE_WIDTH}), 0).xyz;
}

// Four vertices are a shape. They are no instances: software WebGL draws those one by one, eight times as slowly.
void main() {
  int texel = gl_VertexID >> 2 << 1;
  ivec2 from = ivec2(texel % ${TEXTURE_WIDTH}, texel / ${TEXTURE_WIDTH});
  uvec4 ends = texelFetch(shapes, from, 0);
  vec2 radii = uintBitsToFloat(texelFetch(shapes, from + ivec2(1, 0), 0).xy);
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1 & 1));
  kind = ends.z;
  colour = vec4((uvec4(ends.w) >> uvec4(0u, 8u, 16u, 24u)) & 255u) / 255.0;
  float focal = clipFromView[1][1];
  if (kind == ${KIND.ground}u) {
    at = centre + (corner * 2.0 - 1.0) * radii.x;
    a = centre; b = centre; r = radii; pixel = 0.0;
    gl_Position = clipFromView * viewFromWorld * vec4(at.x, 0.0, at.y, 1.0);
    return;
  }
  vec3 first = place(ends.x), second = place(ends.y);
  if (kind == ${KIND.shadow}u || kind == ${KIND.groundLine}u) {
    a = first.xz; b = second.xz; r = radii;
    vec4 seen = viewFromWorld * vec4(first.x, 0.0, first.z, 1.0);
    pixel = -seen.z * 2.0 / (focal * size.y);
    if (kind == ${KIND.groundLine}u) r = radii * pixel * ratio;
  } else {
    vec3 p = (viewFromWorld * vec4(first, 1.0)).xyz, q = (viewFromWorld * vec4(second, 1.0)).xyz;
    if (p.z > -0.05 || q.z > -0.05) {
      gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      return;
    }
    // On the picture's plane; one unit is half the height of the cell
    a = p.xy * focal / -p.z; b = q.xy * focal / -q.z;
    pixel = 2.0 / size.y;
    r = kind == ${KIND.line}u ? radii * pixel * ratio : vec2(radii.x / -p.z, radii.y / -q.z) * focal;
    if (kind == ${KIND.light}u) {
      // The lit side, up and to the left
      vec2 towards = vec2(-0.22, 0.275);
      a += towards * r.x; b += towards * r.y; r *= 0.45;
    }
    if (kind == ${KIND.outline}u) r += clamp(0.1 * max(r.x, r.y), 0.6 * pixel, max(0.6, 2.2 * ratio) * pixel);
  }
  vec2 along = b - a;
  float far = length(along);
  along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float margin = pixel;
  float wide = max(r.x, r.y) + margin;
  at = mix(a - along * (r.x + margin), b + along * (r.y + margin), corner.x) + across * wide * (corner.y * 2.0 - 1.0);
  if (far < abs(r.x - r.y)) at = (r.x > r.y ? a : b) + (corner * 2.0 - 1.0) * wide;
  if (kind == ${KIND.shadow}u || kind == ${KIND.groundLine}u)
    gl_Position = clipFromView * viewFromWorld * vec4(at.x, 0.0, at.y, 1.0);
  else
    gl_Position = vec4(at.x * size.y / size.x, at.y, 0.0, 1.0);
}`;

export const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
flat in vec2 a;
flat in vec2 b;
flat in vec2 r;
flat in vec4 colour;
flat in uint kind;
flat in float pixel;
in vec2 at;
uniform vec3 gridColour;
out vec4 drawn;

// How far outside the hull of two circles: along the tangent line between them, or from the nearer circle.
float outside(vec2 p, vec2 from, vec2 to, vec2 radius) {
  vec2 axis = to - from;
  float reach = length(axis);
  if (reach <= abs(radius.x - radius.y) + 1e-7)
    return radius.x > radius.y ? length(p - from) - radius.x : length(p - to) - radius.y;
  axis /= reach;
  vec2 q = vec2(dot(p - from, axis), abs(dot(p - from, vec2(-axis.y, axis.x))));
  float sine = (radius.x - radius.y) / reach, cosine = sqrt(1.0 - sine * sine);
  float along = q.x * cosine - q.y * sine;
  if (along <= 0.0) return length(q) - radius.x;
  if (along >= reach * cosine) return length(q - vec2(reach, 0.0)) - radius.y;
  return q.x * sine + q.y * cosine - radius.x;
}

void main() {
  if (kind == ${KIND.ground}u) {
    vec2 step = fwidth(at);
    vec2 line = abs(fract(at - 0.5) - 0.5) / max(step, 1e-5);
    float on = (1.0 - min(min(line.x, line.y), 1.0)) * clamp(0.4 / max(step.x, step.y) * 0.1, 0.0, 1.0);
    float fade = 1.0 - smoothstep(0.55, 1.0, length(at - a) / r.x);
    drawn = vec4(mix(colour.rgb, gridColour, on), colour.a * fade);
    drawn.rgb *= drawn.a;
    return;
  }
  float covered = clamp(0.5 - outside(at, a, b, r) / pixel, 0.0, 1.0);
  if (kind == ${KIND.shadow}u) covered = smoothstep(0.0, 1.0, covered);
  drawn = vec4(colour.rgb, 1.0) * (colour.a * covered);
}`;
