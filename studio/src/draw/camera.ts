/** A camera that turns about a place. */
import { PerspectiveCamera } from "three/src/cameras/PerspectiveCamera.js";
import { Spherical } from "three/src/math/Spherical.js";
import { Vector3 } from "three/src/math/Vector3.js";

export const FIELD_OF_VIEW = 26; // degrees; narrow, as the film strips have no perspective at all
export const FROM_ABOVE = Math.PI / 2 - 0.24; // radians from the vertical: a little down onto the figure

export class OrbitCamera {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.05, 200);
  readonly target = new Vector3(0, 0.9, 0);
  readonly orbit = new Spherical(6, FROM_ABOVE, -Math.PI / 3);

  /** Turn by shares of the cell's height. */
  turn(across: number, up: number): void {
    this.orbit.theta -= across * Math.PI;
    this.orbit.phi = Math.min(Math.max(this.orbit.phi - up * Math.PI, 0.05), Math.PI / 2 + 0.2);
  }

  zoom(factor: number): void {
    this.orbit.radius = Math.min(Math.max(this.orbit.radius * factor, 0.6), 80);
  }

  /** Move the place that is looked at, by shares of the cell's height. */
  pan(across: number, up: number): void {
    const reach = 2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * this.orbit.radius;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const above = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(right, -across * reach).addScaledVector(above, up * reach);
  }

  /** See a ball whole. */
  fit(x: number, y: number, z: number, radius: number, aspect = 1): void {
    this.target.set(x, y, z);
    const half = (FIELD_OF_VIEW * Math.PI) / 360;
    const narrow = Math.min(1, aspect);
    this.orbit.radius = Math.max(1, radius / Math.sin(Math.atan(Math.tan(half) * narrow)));
  }

  update(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.position.setFromSpherical(this.orbit).add(this.target);
    this.camera.lookAt(this.target);
    this.camera.updateMatrixWorld();
    this.camera.matrixWorldInverse.copy(this.camera.matrixWorld).invert();
    this.camera.updateProjectionMatrix();
  }

  /** The place on the ground under a point of the cell, both from −1 to 1; null above the horizon. */
  groundUnder(x: number, y: number): [number, number] | null {
    const near = new Vector3(x, y, 0.5).unproject(this.camera);
    const ray = near.sub(this.camera.position);
    if (ray.y >= -1e-6) return null;
    const reach = -this.camera.position.y / ray.y;
    return [this.camera.position.x + ray.x * reach, this.camera.position.z + ray.z * reach];
  }

  /** Where a place is seen, both from −1 to 1. */
  seenAt(place: readonly [number, number, number]): [number, number] {
    const seen = new Vector3(...place).project(this.camera);
    return [seen.x, seen.y];
  }

  /** The place under a point of the cell that is as far away as `through`. */
  underPointer(x: number, y: number, through: readonly [number, number, number]): [number, number, number] {
    const ahead = new Vector3();
    this.camera.getWorldDirection(ahead);
    const ray = new Vector3(x, y, 0.5).unproject(this.camera).sub(this.camera.position);
    const depth = new Vector3(...through).sub(this.camera.position).dot(ahead);
    const place = ray.multiplyScalar(depth / ray.dot(ahead)).add(this.camera.position);
    return [place.x, place.y, place.z];
  }
}
