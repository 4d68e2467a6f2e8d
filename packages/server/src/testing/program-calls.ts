// API calls to a running program, as its administrator, over a real socket.
import type { Endpoint } from '@zonereeve/config'
import { ADMIN_TOKEN } from './app.ts'

/** The members of an envelope that these tests use. */
export interface Envelope<Result> {
  readonly result: Result
  readonly errors: readonly {
    readonly code: number
    readonly message: string
    readonly source?: { readonly pointer: string }
  }[]
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

/** Returns the result of a call that must succeed. */
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
