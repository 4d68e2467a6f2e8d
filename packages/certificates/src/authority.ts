// A certificate authority, by ACME (RFC 8555): one account, orders with DNS-01 challenges.
import { Agent } from 'node:https'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as acme from 'acme-client'
import { readFileIfAny, replaceFile } from './private-file.ts'
import type { Challenge } from './pending-challenges.ts'

export interface AuthoritySettings {
  /** https URL of the directory. */
  readonly directory: string
  /** Where the authority writes to. */
  readonly email: string | undefined
  /** PEM of the authority behind the directory's own certificate, if the system does not know it. */
  readonly authorityCertificate: string | undefined
}

export interface OrderOptions {
  readonly names: readonly string[]
  /** Resolves when our nameserver answers it. */
  readonly publish: (challenge: Challenge) => Promise<void>
  readonly signal: AbortSignal
}

const REQUEST_MILLIS = 30_000
const MAX_REPLY_OCTETS = 1_048_576
/** Between two looks at an order, doubled up to the last one. */
const FIRST_LOOK_MILLIS = 250
const LAST_LOOK_MILLIS = 5_000
/** How long the authority may take for its look at the challenges, and for the certificate. */
const ORDER_MILLIS = 180_000

/** @returns the certificate, its chain and its key as PEM. @throws Error with the authority's own words. */
export async function orderCertificate(
  { directory, email, authorityCertificate: ca }: AuthoritySettings,
  folder: string,
  { names, publish, signal }: OrderOptions,
): Promise<string> {
  const agent = new Agent({ keepAlive: false, ...(ca !== undefined && { ca }) })
  // Requests in progress would hold up the end of the program.
  signal.addEventListener('abort', () => agent.destroy(), { once: true })
  setClient(agent)
  const client = new acme.Client({ directoryUrl: directory, accountKey: await accountKey(directory, folder) })
  // A known key gets its account, which the client then updates: an update without contacts would be empty, and refused.
  const contact = email === undefined ? [] : [`mailto:${email}`]
  await client.createAccount({ termsOfServiceAgreed: true, contact })
  const order = await client.createOrder({ identifiers: names.map((value) => ({ type: 'dns', value })) })
  await proveAll(client, order, publish, signal)
  const [key, request] = await acme.crypto.createCsr(
    { altNames: [...names] },
    await acme.crypto.createPrivateEcdsaKey(),
  )
  const finalized = await client.finalizeOrder(order, request)
  const ready = await lookUntil(signal, async () => {
    const found = await client.getOrder(finalized)
    if (found.status === 'invalid')
      throw new Error(`the authority refuses the order: ${problemOf(found.error)}`)
    return found.status === 'valid' ? found : undefined
  })
  return `${(await client.getCertificate(ready)).trimEnd()}\n${key.toString()}`
}

/** @returns a self-signed certificate, and its key, as PEM. */
export async function createPlaceholder([first = '']: readonly string[]): Promise<string> {
  // Made to answer another kind of challenge: clients do not accept it for anything else.
  const authorization = { identifier: { type: 'dns', value: first } } as acme.Authorization // all that is read
  const [key, certificate] = await acme.crypto.createAlpnCertificate(
    authorization,
    '',
    await acme.crypto.createPrivateEcdsaKey(),
  )
  return `${certificate.toString().trimEnd()}\n${key.toString()}`
}

/**
 * The client has one connection setup for the whole process. Its interceptors repeat requests for minutes, and lose the
 * reason when there was no reply: without them, the first failure ends the order, which is repeated later.
 */
function setClient(agent: Agent): void {
  acme.axios.interceptors.request.clear()
  acme.axios.interceptors.response.clear()
  Object.assign(acme.axios.defaults, {
    httpsAgent: agent,
    timeout: REQUEST_MILLIS,
    maxContentLength: MAX_REPLY_OCTETS,
  })
}

/** Each authority has its own account. */
async function accountKey(directory: string, folder: string): Promise<string> {
  const id = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const path = join(folder, `account-${id}.key`)
  const found = readFileIfAny(path)
  if (found !== undefined) return found
  const made = (await acme.crypto.createPrivateEcdsaKey()).toString()
  replaceFile(path, made)
  return made
}

async function proveAll(
  client: acme.Client,
  order: acme.Order,
  publish: OrderOptions['publish'],
  signal: AbortSignal,
): Promise<void> {
  const open = (await client.getAuthorizations(order)).filter(({ status }) => status !== 'valid')
  const challenges = open.map((authorization) => {
    const name = authorization.identifier.value
    const challenge = authorization.challenges.find(({ type }) => type === 'dns-01')
    if (challenge === undefined) throw new Error(`${name}: the authority offers no DNS-01 challenge`)
    return { name, challenge }
  })
  for (const { name, challenge } of challenges) {
    signal.throwIfAborted()
    await publish({ name, value: await client.getChallengeKeyAuthorization(challenge) })
  }
  for (const { challenge } of challenges) await client.completeChallenge(challenge)
  await lookUntil(signal, async () => {
    const all = await client.getAuthorizations(order)
    const failed = all.find(({ status }) => status !== 'valid' && status !== 'pending')
    if (failed !== undefined) throw new Error(refusalOf(failed))
    return all.every(({ status }) => status === 'valid') ? true : undefined
  })
}

const refusalOf = ({ identifier, status, challenges }: acme.Authorization): string => {
  const problem = challenges.map((challenge) => 'error' in challenge && challenge.error).find(Boolean)
  return `${identifier.value}: the authority does not accept the challenge: ${problem ? problemOf(problem) : status}`
}

/** A problem document (RFC 9457). */
const problemOf = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'detail' in problem
    ? String(problem.detail)
    : JSON.stringify(problem)

async function lookUntil<Found>(signal: AbortSignal, look: () => Promise<Found | undefined>): Promise<Found> {
  const until = Date.now() + ORDER_MILLIS
  for (let pause = FIRST_LOOK_MILLIS; ; pause = Math.min(pause * 2, LAST_LOOK_MILLIS)) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > until) throw new Error(`the authority has not decided within ${ORDER_MILLIS / 1_000} s`)
    await sleep(pause, undefined, { signal })
  }
}
