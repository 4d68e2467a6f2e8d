// Checks each kind of answer with BIND's delv, which trusts only the zone's DS.
import { deepEqual, doesNotMatch } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel, run } from '../../scripts/process.ts'
import { APEX } from './signed-zone.ts'

interface Question {
  readonly name: string
  /** Owner relative to the apex (`@` is the apex itself), and type. */
  readonly asked: string
  readonly expectedReply: RegExp
}

const VALIDATED = /; fully validated/
const DENIED = /; negative response, fully validated/

const QUESTIONS: readonly Question[] = [
  {
    name: 'an RRset',
    asked: 'www A',
    expectedReply: /; fully validated[^]*192\.0\.2\.1[^]*192\.0\.2\.2[^]*RRSIG/,
  },
  { name: 'the SOA', asked: '@ SOA', expectedReply: VALIDATED },
  { name: 'the name servers', asked: '@ NS', expectedReply: VALIDATED },
  { name: 'the keys', asked: '@ DNSKEY', expectedReply: VALIDATED },
  { name: 'the DS records for the parent', asked: '@ CDS', expectedReply: VALIDATED },
  { name: 'the keys for the parent', asked: '@ CDNSKEY', expectedReply: VALIDATED },
  { name: 'an RRset with additional addresses', asked: '@ MX', expectedReply: VALIDATED },
  {
    name: 'an alias and its target',
    asked: 'alias A',
    expectedReply: /validated[^]*CNAME[^]*RRSIG[^]*192\.0\.2\.1/,
  },
  { name: 'some RRset of a name, by ANY', asked: 'www ANY', expectedReply: VALIDATED },
  { name: 'the alias itself', asked: 'alias CNAME', expectedReply: VALIDATED },
  { name: 'a name of a wildcard', asked: 'x.wild TXT', expectedReply: /validated[^]*"wild"/ },
  { name: 'a name far below a wildcard', asked: 'y.x.wild TXT', expectedReply: /validated[^]*"wild"/ },
  { name: 'the wildcard itself', asked: '*.wild TXT', expectedReply: VALIDATED },
  { name: 'an alias by wildcard', asked: 'x.wildalias A', expectedReply: /validated[^]*192\.0\.2\.1/ },
  { name: 'no such type', asked: 'www TXT', expectedReply: DENIED },
  { name: 'no such type at the apex', asked: '@ A', expectedReply: DENIED },
  { name: 'no such type by wildcard', asked: 'x.wild A', expectedReply: DENIED },
  { name: 'no such name', asked: 'nothing A', expectedReply: DENIED },
  { name: 'no such name, deep', asked: 'a.b.nothing A', expectedReply: DENIED },
  { name: 'an alias to no such name', asked: 'dangling A', expectedReply: VALIDATED },
  { name: 'an empty non-terminal', asked: 'b.c A', expectedReply: DENIED },
  { name: 'a DNAME', asked: 'moved DNAME', expectedReply: /validated[^]*DNAME[^]*RRSIG\s+DNAME/ },
  {
    name: 'a name below a DNAME, whose CNAME has no signature',
    asked: 'a.b.moved A',
    expectedReply: /validated[^]*RRSIG\s+DNAME(?![^]*RRSIG\s+CNAME)[^]*192\.0\.2\.4/,
  },
  { name: 'a name below two DNAMEs', asked: 'a.b.twice A', expectedReply: /validated[^]*192\.0\.2\.4/ },
  { name: 'no such type at a DNAME', asked: 'moved A', expectedReply: DENIED },
  {
    name: 'a name below a DNAME, redirected to no such name',
    asked: 'nothing.moved A',
    expectedReply: VALIDATED,
  },
  { name: 'a delegation without DS', asked: 'insecure DS', expectedReply: DENIED },
  {
    name: 'data of the unsigned zone below it',
    asked: 'www.insecure A',
    expectedReply: /; unsigned answer[^]*192\.0\.2\.7/,
  },
  { name: 'a delegation with DS', asked: 'secure DS', expectedReply: VALIDATED },
  {
    name: 'data of the signed zone below it',
    asked: 'www.secure A',
    expectedReply: /; fully validated[^]*192\.0\.2\.7/,
  },
  { name: 'a denial of the signed zone below it', asked: 'nothing.secure A', expectedReply: DENIED },
]

/** Concurrent queries; each is a process. */
const MAX_CONCURRENT = 4

export const QUESTION_COUNT = QUESTIONS.length

/** Writes a trust anchor file for delv. @returns its path */
export function writeAnchors(folder: string, ds: string): string {
  const [name = '', , , , ...rest] = ds.split(' ')
  const [keyTag, algorithm, digestType, digest] = rest
  const path = join(folder, `anchors-${keyTag ?? ''}`)
  writeFileSync(
    path,
    `trust-anchors { ${name} static-ds ${keyTag} ${algorithm} ${digestType} "${digest}"; };\n`,
  )
  return path
}

/** Sends every query to the server at this port. @throws an error that lists all unexpected replies */
export async function validates(port: number, anchors: string): Promise<void> {
  const wrong = await inParallel(
    MAX_CONCURRENT,
    QUESTIONS.map(({ name, asked, expectedReply }) => async () => {
      const heard = await delv(port, anchors, asked)
      return expectedReply.test(heard) ? undefined : `${name} (${asked}):\n${heard}`
    }),
  )
  deepEqual(
    wrong.filter((each) => each !== undefined),
    [],
  )
}

/** With a DS that matches no key, nothing validates, which shows that validation depends on the zone's DS. */
export async function trustsNothingElse(port: number, folder: string): Promise<void> {
  const anchors = writeAnchors(folder, `${APEX}. 3600 IN DS 1 13 2 ${'00'.repeat(32)}`)
  for (const asked of ['www A', 'nothing A'])
    doesNotMatch(await delv(port, anchors, asked), /fully validated/)
}

/** Returns delv's output. */
async function delv(port: number, anchors: string, asked: string): Promise<string> {
  const [owner = '', type = ''] = asked.split(' ')
  const name = owner === '@' ? APEX : `${owner}.${APEX}`
  const args = ['@127.0.0.1', '-p', String(port), '-a', anchors, `+root=${APEX}`, name, type]
  // Sometimes delv of BIND 9.18 waits for itself without end after it has printed its answer.
  return (await run('timeout', ['60', 'delv', ...args])).output
}
