// The AppSec protocol of CrowdSec's remediation components: the original request with its body, and headers that
// describe the rest of it. https://docs.crowdsec.net/docs/appsec/protocol
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseIp } from '@zonereeve/expr'
import { MAX_INSPECTED_BODY_BYTES } from '@zonereeve/firewall'
import type { Engine } from '../engine.ts'
import { headerLines, headerOf, startBody } from '../received-request.ts'
import { RAY_HEADER } from '../refusal.ts'
import { portOf } from './forward-auth.ts'

export interface AppSecOptions {
  readonly engine: Pick<Engine, 'decide'>
  /** What the components send as X-Crowdsec-Appsec-Api-Key. */
  readonly key: string
}

const PREFIX = 'x-crowdsec-appsec-'
const VERSIONS: Readonly<Record<string, string>> = {
  '10': 'HTTP/1.0',
  '11': 'HTTP/1.1',
  '20': 'HTTP/2',
  '30': 'HTTP/3',
}
const BODY_MILLIS = 1_000

/** Answers one request. The components take 500 as a failure, and then do what they are configured to. */
export async function answerAppSec(
  { engine, key }: AppSecOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const about = (name: string) => headerOf(request, PREFIX + name)
  const [given, target, host, method, client] = ['api-key', 'uri', 'host', 'verb', 'ip'].map(about)
  if (given === undefined || !isSame(given, key)) return reply(response, 401, { message: 'invalid API key' })
  const clientIp = client === undefined ? undefined : parseIp(client)
  if (target === undefined || host === undefined || method === undefined || clientIp === undefined)
    return reply(response, 500, { message: `the headers ${PREFIX}ip, -uri, -host and -verb are required` })
  const body = await startBody(request, MAX_INSPECTED_BODY_BYTES + 1, BODY_MILLIS)
  request.resume()
  const declared = Number(headerOf(request, 'content-length'))
  const decision = engine.decide({
    method,
    target,
    host,
    isTls: false,
    version: VERSIONS[String(about('http-version'))] ?? 'HTTP/1.1', // components that do not say
    headers: [['host', host], ...headerLines(request, (name) => name.startsWith(PREFIX) || name === 'host')],
    clientIp,
    serverPort: portOf(host, false),
    body: {
      octets: body.octets,
      isTruncated: body.isTruncated,
      sizeBytes: Number.isSafeInteger(declared) ? declared : body.octets.length,
    },
  })
  const { rayId } = decision
  if (decision.response === undefined)
    return reply(response, 200, { action: 'allow', http_status: 200 }, rayId)
  // A component solves its own captcha only, so a challenge is a ban with the status of the rule.
  const { statusCode } = decision.response
  return reply(response, 403, { action: 'ban', http_status: statusCode }, rayId)
}

function reply(response: ServerResponse, status: number, content: object, rayId?: string): void {
  const ray = rayId === undefined ? {} : { [RAY_HEADER]: rayId }
  response.writeHead(status, { 'content-type': 'application/json', ...ray }).end(JSON.stringify(content))
}

function isSame(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)]
  return a.length === b.length && timingSafeEqual(a, b)
}
