/** Requests to the server that sent this page, and to nothing else. */

const TOKEN = "motionary-token";
let token = "";

/** The error that the server names, with what can be done about it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly remedy: string | null = null,
  ) {
    super(message);
  }
}

/** The server does not answer at all. */
export class OfflineError extends Error {}

/** Take the token out of the address, where the launcher put it, and keep it for this tab; whether there was one. */
export function takeToken(): boolean {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get("token");
  if (given) {
    sessionStorage.setItem(TOKEN, given);
    fragment.delete("token");
    const rest = fragment.toString();
    history.replaceState(null, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  }
  token = given ?? sessionStorage.getItem(TOKEN) ?? "";
  return given !== null;
}

export interface Asked {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** An answer of the server; whatever is not a success is thrown. */
export async function request(method: string, path: string, body?: unknown, asked: Asked = {}): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, ...asked.headers };
  const raw = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = raw ? "application/octet-stream" : "application/json";
  let answer: Response;
  for (let attempt = 0; ; attempt++) {
    try {
      answer = await fetch(`/api${path}`, {
        method,
        headers,
        body: body === undefined ? null : raw ? body : JSON.stringify(body),
        signal: asked.signal ?? null,
        cache: "no-store",
      });
    } catch (error) {
      if (asked.signal?.aborted) throw error;
      throw new OfflineError("The server does not answer.", { cause: error });
    }
    if (answer.status !== 503 || attempt >= 3) break;
    const wait = Number(answer.headers.get("Retry-After") ?? "1");
    await new Promise((done) => setTimeout(done, Math.min(5, Math.max(0.1, wait)) * 1000));
  }
  if (!answer.ok) throw await errorOf(answer);
  return answer;
}

async function errorOf(answer: Response): Promise<ApiError> {
  try {
    const said = (await answer.json()) as { error?: string; remedy?: string | null };
    return new ApiError(answer.status, said.error ?? answer.statusText, said.remedy ?? null);
  } catch {
    return new ApiError(answer.status, `The server answered ${answer.status} ${answer.statusText}.`);
  }
}

export async function getJson<T>(path: string, asked: Asked = {}): Promise<T> {
  return (await request("GET", path, undefined, asked)).json() as Promise<T>;
}

export async function postJson<T>(path: string, body: unknown, asked: Asked = {}): Promise<T> {
  return (await request("POST", path, body, asked)).json() as Promise<T>;
}

export async function deleteJson<T>(path: string, body?: unknown): Promise<T> {
  const answer = await request("DELETE", path, body);
  const text = await answer.text();
  return (text ? JSON.parse(text) : {}) as T;
}

export async function getBytes(path: string, asked: Asked = {}): Promise<ArrayBuffer> {
  return (await request("GET", path, undefined, asked)).arrayBuffer();
}

export async function postBytes(path: string, body: unknown, asked: Asked = {}): Promise<ArrayBuffer> {
  return (await request("POST", path, body, asked)).arrayBuffer();
}

/** What the page says of an error: the server's words, then the remedy. */
export function inWords(error: unknown): string {
  if (error instanceof ApiError) return error.remedy ? `${error.message}; ${error.remedy}` : error.message;
  return error instanceof Error ? error.message : String(error);
}
