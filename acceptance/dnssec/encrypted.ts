// DNS over TLS and over HTTPS, queried with kdig, dig, curl and openssl, with a certificate of this run's authority.
import { deepEqual, match, notEqual, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import packet, { type DecodedPacket } from 'dns-packet'
import { run } from '../../scripts/process.ts'
import { missingOf } from '../../scripts/requirements.ts'
import { createApi } from '../browsers/api.ts'
import { createAuthority, type Authority, type Certificate } from '../clients/authority.ts'
import { startServer, type Program } from '../program.ts'
import type { Report } from '../report.ts'
import { createZone } from './signed-zone.ts'

const HOST = 'ns1.encrypted.example'
const ZONE = 'encrypted.example'
/** Block size of padded answers (RFC 8467 §4.1). */
const PADDED_OCTETS = 468
const HEALTHY = /^ok$/m

interface Session {
  readonly program: Program
  readonly authority: Authority
  readonly tlsPort: string
  readonly httpsPort: string
}

/** @param launcher starts the program, with a certificate. */
export async function runEncrypted(launcher: string, report: Report, parentFolder: string): Promise<void> {
  const missing = missingOf(['kdig', 'dig', 'curl', 'openssl'])
  if (missing !== undefined) return report.skip('encrypted DNS', missing.reason, missing.required)
  const folder = join(parentFolder, 'encrypted')
  mkdirSync(folder, { recursive: true })
  const authority = await createAuthority(folder)
  const certificate = await authority.issue(HOST)
  const flags = ['--dns-tls', '127.0.0.1:0', '--dns-https', '127.0.0.1:0', '--resolver', 'off']
  const program = await startServer(launcher, join(folder, 'state'), {
    // curl fetches a page of the server by a name that the server itself resolves.
    flags: [...flags, ...certificateFlags(certificate), '--allowed-hosts', `www.${ZONE}`],
  })
  try {
    await createZone(createApi(program), ZONE, [
      { type: 'A', name: 'www', content: '127.0.0.1', ttl: 60 },
      { type: 'AAAA', name: 'six', content: '2001:db8::6', ttl: 60 },
    ])
    const { tls, https } = program.encrypted
    if (tls === undefined || https === undefined) throw new Error('the program listens on no encrypted port')
    const session = { program, authority, tlsPort: String(tls.port), httpsPort: new URL(https).port }
    await judgeTls(session, report)
    await judgeHttps(session, report)
  } finally {
    await report.check('encrypted: the program ends with code 0 on SIGTERM', program.stop)
  }
  await judgeStarts({ launcher, folder, flags }, { authority, certificate }, report)
}

const certificateFlags = ({ certFile, keyFile }: Certificate): string[] => [
  '--tls-certificate',
  certFile,
  '--tls-key',
  keyFile,
]

async function judgeTls({ authority, tlsPort }: Session, report: Report): Promise<void> {
  const ca = [`+tls-ca=${authority.certFile}`, `+tls-hostname=${HOST}`]
  const at = ['@127.0.0.1', '-p', tlsPort]
  await report.check('encrypted: kdig +tls verifies the certificate', async () => {
    const { output } = await run('kdig', [...at, ...ca, `www.${ZONE}`, 'A'])
    match(output, /;; TLS session \(TLS1\.3\)[^]*status: NOERROR[^]*127\.0\.0\.1/)
  })
  await report.check('encrypted: kdig rejects a certificate for another host', async () => {
    const other = [`+tls-ca=${authority.certFile}`, '+tls-hostname=other.example', '+retry=0']
    const { output } = await run('kdig', [...at, ...other, `www.${ZONE}`, 'A'])
    ok(!output.includes('NOERROR'), output)
  })
  await report.check('encrypted: dig +tls', async () => {
    const { output } = await run('dig', [...at, '+tls', ...ca, `six.${ZONE}`, 'AAAA'])
    match(output, /status: NOERROR[^]*2001:db8::6[^]*\(TLS\)/)
  })
  await report.check('encrypted: many queries on one connection are answered', async () => {
    const names = ['www', 'six', 'nothing', 'www', 'six'].map((name) => `${name}.${ZONE}`)
    const replies = await askOnOne({ port: Number(tlsPort), ca: readFileSync(authority.certFile) }, names)
    deepEqual(
      replies.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0)).map(({ questions }) => questions?.[0]?.name),
      names,
    )
  })
  await report.check('encrypted: only answers to padded queries are padded', async () => {
    const padded = await run('kdig', [...at, ...ca, '+padding=128', `www.${ZONE}`, 'A'])
    match(padded.output, new RegExp(`Received ${PADDED_OCTETS} B`))
    const plain = await run('kdig', [...at, ...ca, '+nopadding', `www.${ZONE}`, 'A'])
    match(plain.output, /Received \d\d B/)
  })
  await report.check('encrypted: the protocol is negotiated by ALPN', async () => {
    const given = ['s_client', '-connect', `127.0.0.1:${tlsPort}`, '-CAfile', authority.certFile]
    const { output } = await run('openssl', [...given, '-verify_return_error', '-alpn', 'dot'])
    match(output, /ALPN protocol: dot/)
    match(output, /Verify return code: 0 \(ok\)/)
  })
}

/** Sends all queries at once, each with its index as id, and reads until each is answered. */
async function askOnOne(
  { port, ca }: { readonly port: number; readonly ca: Buffer },
  names: readonly string[],
): Promise<DecodedPacket[]> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: HOST, ALPNProtocols: ['dot'] })
  try {
    await once(socket, 'secureConnect')
    const question = (name: string, id: number): Buffer =>
      packet.streamEncode({ type: 'query', id, questions: [{ name, type: 'A', class: 'IN' }] })
    socket.write(Buffer.concat(names.map(question)))
    let rest = Buffer.alloc(0)
    const replies: DecodedPacket[] = []
    const chunks = socket as AsyncIterable<Buffer> // no encoding is set
    for await (const chunk of chunks) {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const end = 2 + rest.readUInt16BE(0)
        replies.push(packet.decode(rest.subarray(2, end)))
        rest = rest.subarray(end)
      }
      if (replies.length === names.length) return replies
    }
    throw new Error(`${replies.length} of ${names.length} queries were answered`)
  } finally {
    socket.destroy()
  }
}

async function judgeHttps({ program, authority, httpsPort }: Session, report: Report): Promise<void> {
  const ca = [`+tls-ca=${authority.certFile}`, `+tls-hostname=${HOST}`]
  const at = ['@127.0.0.1', '-p', httpsPort]
  for (const form of ['+https', '+https-get'])
    await report.check(`encrypted: kdig ${form}`, async () => {
      const given = [...at, `+https=${HOST}/dns-query`, ...(form === '+https-get' ? [form] : [])]
      const { output } = await run('kdig', [...given, ...ca, `www.${ZONE}`, 'A'])
      match(output, /HTTP session \(HTTP\/2-(GET|POST)\)[^]*status: 200[^]*127\.0\.0\.1/)
      match(output, form === '+https-get' ? /HTTP\/2-GET/ : /HTTP\/2-POST/)
    })
  await report.check('encrypted: dig +https', async () => {
    const { output } = await run('dig', [...at, '+https=/dns-query', ...ca, `nothing.${ZONE}`, 'A'])
    match(output, /status: NXDOMAIN[^]*SOA[^]*\(HTTPS\)/)
  })
  await report.check('encrypted: curl resolves a host with --doh-url', async () => {
    const { port } = new URL(program.http)
    const doh = ['--doh-url', `https://${HOST}:${httpsPort}/dns-query`, '--cacert', authority.certFile]
    const given = ['-sS', ...doh, '--resolve', `${HOST}:${httpsPort}:127.0.0.1`]
    const found = await run('curl', [...given, `http://www.${ZONE}:${port}/readyz`])
    match(found.output, HEALTHY)
    const missing = await run('curl', [...given, `http://nothing.${ZONE}:${port}/readyz`])
    match(missing.output, /\(6\) Could(n't| not) resolve host/)
  })
}

interface Start {
  readonly launcher: string
  readonly folder: string
  readonly flags: readonly string[]
}

/** The message of a start that fails because of the certificate or key. */
async function judgeStarts(
  { launcher, folder, flags }: Start,
  { authority, certificate }: { readonly authority: Authority; readonly certificate: Certificate },
  report: Report,
): Promise<void> {
  const other = await authority.issue('other.example')
  const cases: readonly (readonly [name: string, certificate: Certificate, said: RegExp])[] = [
    [
      'a missing certificate',
      { ...certificate, certFile: join(folder, 'nowhere.crt') },
      /tls-certificate[^]*nowhere\.crt/,
    ],
    ['a missing key', { ...certificate, keyFile: join(folder, 'nowhere.key') }, /tls-key[^]*nowhere\.key/],
    [
      'a key of another certificate',
      { ...certificate, keyFile: other.keyFile },
      /tls-key[^]*other\.example\.key/,
    ],
  ]
  for (const [name, given, expectedReply] of cases)
    await report.check(`encrypted: a start with ${name} fails with a message`, async () => {
      const state = join(folder, 'state')
      const started = startServer(launcher, state, { flags: [...flags, ...certificateFlags(given)] })
      const failure = await started.then(
        async (program) => {
          await program.stop()
          return 'it started'
        },
        (error: unknown) => String(error),
      )
      notEqual(failure, 'it started')
      match(failure, expectedReply)
    })
}
