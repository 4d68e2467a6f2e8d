// BIND's delv, with the zone's DS as the only thing that it trusts: what it says of each kind of answer.
import { deepEqual, doesNotMatch } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel, run } from '../../scripts/process.ts'
import { APEX } from './signed-zone.ts'

interface Question {
  readonly name: string
  /** Owner below the apex (`@` is the apex itself), and type. */
  readonly asked: string
  readonly said: RegExp
}

const VALIDATED = /; fully validated/
const DENIED = /; negative response, fully validated/

const QUESTIONS: readonly Question[] = [
  { name: 'an rrset', asked: 'www A', said: /; fully validated[^]*192\.0\.2\.1[^]*192\.0\.2\.2[^]*RRSIG/ },
  { name: 'the SOA', asked: '@ SOA', said: VALIDATED },
  { name: 'the name servers', asked: '@ NS', said: VALIDATED },
  { name: 'the keys', asked: '@ DNSKEY', said: VALIDATED },
  { name: 'what the parent is to have', asked: '@ CDS', said: VALIDATED },
  { name: 'its keys', asked: '@ CDNSKEY', said: VALIDATED },
  { name: 'an rrset with addresses beside it', asked: '@ MX', said: VALIDATED },
  { name: 'an alias and its end', asked: 'alias A', said: /validated[^]*CNAME[^]*RRSIG[^]*192\.0\.2\.1/ },
  { name: 'something of what a name has', asked: 'www ANY', said: VALIDATED },
  { name: 'the alias itself', asked: 'alias CNAME', said: VALIDATED },
  { name: 'a name of a wildcard', asked: 'x.wild TXT', said: /validated[^]*"wild"/ },
  { name: 'a name far below a wildcard', asked: 'y.x.wild TXT', said: /validated[^]*"wild"/ },
  { name: 'the wildcard itself', asked: '*.wild TXT', said: VALIDATED },
  { name: 'an alias by wildcard', asked: 'x.wildalias A', said: /validated[^]*192\.0\.2\.1/ },
  { name: 'no such type', asked: 'www TXT', said: DENIED },
  { name: 'no such type at the apex', asked: '@ A', said: DENIED },
  { name: 'no such type by wildcard', asked: 'x.wild A', said: DENIED },
  { name: 'no such name', asked: 'nothing A', said: DENIED },
  { name: 'no such name, deep', asked: 'a.b.nothing A', said: DENIED },
  { name: 'an alias to no such name', asked: 'dangling A', said: VALIDATED },
  { name: 'an empty non-terminal', asked: 'b.c A', said: DENIED },
  { name: 'a delegation without DS', asked: 'insecure DS', said: DENIED },
  {
    name: 'data of the unsigned zone below it',
    asked: 'www.insecure A',
    said: /; unsigned answer[^]*192\.0\.2\.7/,
  },
  { name: 'a delegation with DS', asked: 'secure DS', said: VALIDATED },
  {
    name: 'data of the signed zone below it',
    asked: 'www.secure A',
    said: /; fully validated[^]*192\.0\.2\.7/,
  },
  { name: 'a denial of the signed zone below it', asked: 'nothing.secure A', said: DENIED },
]

/** What is asked for at once: each is a process of its own. */
const AT_ONCE = 4

export const QUESTION_COUNT = QUESTIONS.length

/** A file that has delv trust a DS. @returns its path */
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

/** Asks the server at this port everything. @throws naming all that did not validate as it must */
export async function validates(port: number, anchors: string): Promise<void> {
  const wrong = await inParallel(
    AT_ONCE,
    QUESTIONS.map(({ name, asked, said }) => async () => {
      const heard = await delv(port, anchors, asked)
      return said.test(heard) ? undefined : `${name} (${asked}):\n${heard}`
    }),
  )
  deepEqual(
    wrong.filter((each) => each !== undefined),
    [],
  )
}

/** With a DS of no key of the zone nothing validates: so what validates does because of its own. */
export async function trustsNothingElse(port: number, folder: string): Promise<void> {
  const anchors = writeAnchors(folder, `${APEX}. 3600 IN DS 1 13 2 ${'00'.repeat(32)}`)
  for (const asked of ['www A', 'nothing A'])
    doesNotMatch(await delv(port, anchors, asked), /fully validated/)
}

/** All that delv says. */
async function delv(port: number, anchors: string, asked: string): Promise<string> {
  const [owner = '', type = ''] = asked.split(' ')
  const name = owner === '@' ? APEX : `${owner}.${APEX}`
  const args = ['@127.0.0.1', '-p', String(port), '-a', anchors, `+root=${APEX}`, name, type]
  return (await run('delv', args)).output
}
