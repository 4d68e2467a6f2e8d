// Calls of the API of a program that is up, as its administrator, over its own socket.
import type { Endpoint } from '../config/index.ts'
import { ADMIN_TOKEN } from './app.ts'

/** What the tests here look at of an envelope. */
export interface Envelope<Result> {
  readonly result: Result
  readonly errors: readonly { readonly code: number; readonly source?: { readonly pointer: string } }[]
  readonly messages: readonly { readonly code: number }[]
}

export interface Called<Result> {
  readonly status: number
  readonly envelope: Envelope<Result>
}

interface Program {
  readonly http: Endpoint
}

export async function callProgram<Result = { readonly id: string }>(
  { http }: Program,
  method: string,
  path: string,
  body?: object,
): Promise<Called<Result>> {
  const answer = await fetch(`http://${http.host}:${http.port}/client/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, envelope: (await answer.json()) as Envelope<Result> }
}

/** The result of a call that must succeed. */
export async function mustOf<Result = { readonly id: string }>(
  program: Program,
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const { status, envelope } = await callProgram<Result>(program, method, path, body)
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(envelope.errors)}`)
  return envelope.result
}
