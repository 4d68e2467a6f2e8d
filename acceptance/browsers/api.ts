// API client of these suites: returns the result, or throws an error with the whole reply.
import type { Target } from '../program.ts'

export interface Api {
  readonly get: <Result>(path: string) => Promise<Result>
  readonly post: <Result>(path: string, body: object) => Promise<Result>
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>
}

export function createApi({ http, token }: Pick<Target, 'http' | 'token'>): Api {
  return {
    // The caller knows the operation's result type.
    get: <Result>(path: string) => call('GET', path) as Promise<Result>,
    post: <Result>(path: string, body: object) => call('POST', path, body) as Promise<Result>,
    call,
  }

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(`${http}/client/v4${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text === '' ? null : (JSON.parse(text) as { result: unknown }).result // the envelope
  }
}
