// The data folder: owner, modes, free space, the key. And the certificate: whether it fits its key, and its end.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname } from 'node:path'
import { inOrder, problem, warning, type Finding } from './finding.ts'

const MEBIBYTE = 1_048_576
/** Below this, a checkpoint or an import may not fit. */
const MIN_FREE_OCTETS = 256 * MEBIBYTE
const OTHERS = 0o077
const DAY_MILLIS = 86_400_000
/** Certificates that are renewed automatically have more time left than this. */
const RENEWAL_DAYS = 14
const SUFFIXES = ['', '-wal', '-shm', '.key', '.lock', '.marker'] as const

export interface DataFiles {
  /** Database file. */
  readonly database: string
  /** Whether another secret than the key file encrypts secrets. */
  readonly isKeyConfigured: boolean
}

export function examineFiles({ database, isKeyConfigured }: DataFiles): Finding[] {
  if (!existsSync(database)) {
    const remedy = 'check --data; the first start of zonereeve serve creates it'
    return [problem({ check: 'database', subject: database }, 'does not exist', remedy)]
  }
  return [
    ...examineModes(database),
    examineSpace(database),
    ...(isKeyConfigured ? [] : [examineKey(database)]),
  ]
}

function examineModes(database: string): Finding[] {
  const paths = [dirname(database), ...SUFFIXES.map((suffix) => database + suffix)].filter((path) =>
    existsSync(path),
  )
  const open = paths.filter((path) => (statSync(path).mode & OTHERS) !== 0)
  const owner = statSync(database).uid
  const foreign = paths.filter((path) => statSync(path).uid !== owner)
  const examined = { check: 'file modes', subject: dirname(database) }
  const findings = [
    ...open.map((subject) =>
      warning({ ...examined, subject }, 'other users may read or write it', `chmod go= ${subject}`),
    ),
    ...foreign.map((subject) =>
      problem(
        { ...examined, subject },
        `belongs to another user than ${database}: the server cannot write it`,
        `stop the server, then chown --reference=${database} ${subject}`,
      ),
    ),
  ]
  return findings.length > 0 ? findings : [inOrder(examined, 'only its owner may read and write')]
}

function examineSpace(database: string): Finding {
  const { bavail, bsize } = statfsSync(dirname(database))
  const free = bavail * bsize
  const used = statSync(database).size
  const examined = { check: 'disk space', subject: dirname(database) }
  const message = `${Math.floor(free / MEBIBYTE)} MiB are free, the database takes ${Math.ceil(used / MEBIBYTE)} MiB`
  if (free < MIN_FREE_OCTETS)
    return problem(examined, message, 'free space: without any, writes fail with 19827')
  if (free < used)
    return warning(examined, message, 'free space: a backup needs as much as the database takes')
  return inOrder(examined, message)
}

function examineKey(database: string): Finding {
  const subject = `${database}.key`
  const examined = { check: 'key file', subject }
  return existsSync(subject)
    ? inOrder(examined, 'is there')
    : problem(
        examined,
        'is missing: stored secrets cannot be read',
        'restore it from your copy, or from an encrypted backup',
      )
}

export interface TlsFiles {
  readonly certificate: string | undefined
  readonly key: string | undefined
  /** Host name under which clients reach the API over TLS. */
  readonly host?: string | undefined
}

export function examineTls({ certificate, key, host }: TlsFiles, now: Date): Finding[] {
  if (certificate === undefined || key === undefined) return []
  const examined = { check: 'certificate', subject: certificate }
  try {
    const parsed = new X509Certificate(readFileSync(certificate))
    if (!parsed.checkPrivateKey(createPrivateKey(readFileSync(key))))
      return [
        problem(
          examined,
          `does not belong to the key ${key}`,
          'install the certificate and the key of one request',
        ),
      ]
    return [examineEnd(examined, parsed, now), ...examineHost(examined, parsed, host), ...examineKeyMode(key)]
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [
      problem(examined, `cannot be used: ${message}`, 'check both files, and that the server may read them'),
    ]
  }
}

function examineEnd(
  examined: Pick<Finding, 'check' | 'subject'>,
  parsed: X509Certificate,
  now: Date,
): Finding {
  const days = Math.floor((Date.parse(parsed.validTo) - now.getTime()) / DAY_MILLIS)
  const remedy = 'renew it; the server reloads the files when they change'
  if (days < 0) return problem(examined, `ended ${parsed.validTo}`, remedy)
  if (Date.parse(parsed.validFrom) > now.getTime())
    return problem(examined, `is valid only from ${parsed.validFrom}`, 'check the clock')
  const message = `ends in ${days} days`
  return days < RENEWAL_DAYS ? warning(examined, message, remedy) : inOrder(examined, message)
}

function examineHost(
  examined: Pick<Finding, 'check' | 'subject'>,
  parsed: X509Certificate,
  host: string | undefined,
): Finding[] {
  if (host === undefined) return []
  const isCovered =
    isIP(host) === 0 ? parsed.checkHost(host) !== undefined : parsed.checkIP(host) !== undefined
  if (isCovered) return []
  const names = parsed.subjectAltName ?? parsed.subject
  return [problem(examined, `is not for ${host}, but for ${names}`, 'request it for the host of public-url')]
}

function examineKeyMode(key: string): Finding[] {
  // A group is how a key is shared with the program that renews it.
  return (statSync(key).mode & 0o007) === 0
    ? []
    : [warning({ check: 'certificate', subject: key }, 'every user may read it', `chmod o= ${key}`)]
}
