// A zone with DNAMEs: secondaries answer as we do (RFC 6672), and follow its changes.
import { deepEqual, match } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordType } from 'dns-packet'
import { ask, type DnsAddress, type DnsReply } from '../dns-client.ts'
import type { Report } from '../report.ts'
import type { Nameserver } from './nameservers.ts'
import { appears, enable, importFile, incrementalTransfer, type SecondaryName, type World } from './world.ts'

const NAME = 'redirected.secondaries.example'
/** A name in the zone that reaches the maximum length with another label of 63 octets. */
const LONG = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(30)}`
const TOO_LONG = `x.${'a'.repeat(62)}.long A`

const LINES = [
  'www 60 A 192.0.2.1',
  'd 120 DNAME target',
  'd 300 TXT "beside the DNAME"',
  'in.target 300 A 192.0.2.2',
  'x.y.target 300 A 192.0.2.3',
  '*.wild.target 300 A 192.0.2.4',
  '*.side 300 A 192.0.2.5',
  'd.side 300 DNAME target',
  'twice 300 DNAME d',
  'alias 300 CNAME in.d',
  'dangling 300 CNAME nothing.d',
  `long 300 DNAME ${LONG}`,
  'out 300 DNAME elsewhere.example.',
  'deep.below.here 300 DNAME target',
  '*.asterisk 300 CNAME in.d',
]

/** Lines that replace those with the same beginning: a DNAME is added, one removed, and one gets another target. */
const CHANGED: Readonly<Record<string, string>> = {
  'www 60 A 192.0.2.1': 'www 60 A 192.0.2.21',
  'd 120 DNAME target': 'd 120 DNAME wild.target',
  'out 300 DNAME elsewhere.example.': 'in.out 300 A 192.0.2.6',
  'alias 300 CNAME in.d': 'alias 300 DNAME target',
}

/** Owner relative to the apex, and type. */
const QUESTIONS = [
  'd DNAME',
  'd TXT',
  'd A',
  'in.d A',
  'in.d AAAA',
  'in.d DNAME',
  'x.y.d A',
  'y.d A',
  'nothing.d A',
  'a.b.c.nothing.d A',
  '*.d A',
  'any.wild.d A',
  'any.wild.d TXT',
  'd.side A',
  'in.d.side A',
  'nothing.d.side A',
  'x.side A',
  'in.x.side A',
  'xd A',
  'in.twice A',
  'nothing.twice A',
  'alias A',
  'in.alias A',
  'dangling A',
  'x.asterisk A',
  'in.out A',
  'out DNAME',
  'x.long CNAME',
  `${'a'.repeat(63)}.long A`,
  'in.deep.below.here A',
  'deep.below.here DNAME',
  'below.here A',
  'x.below.here A',
]

/** Servers that answer more than we do: our answer is part of theirs. */
const MORE: readonly { readonly question: string; readonly of: readonly SecondaryName[] }[] = [
  // All except BIND follow the CNAME.
  { question: 'in.d ANY', of: ['knotd', 'pdns', 'nsd'] },
  { question: 'x.y.twice ANY', of: ['knotd', 'pdns', 'nsd'] },
  // PowerDNS also denies a CNAME at the target.
  { question: 'in.d CNAME', of: ['pdns'] },
  // Knot continues after YXDOMAIN, and denies the name.
  { question: TOO_LONG, of: ['knotd'] },
]

export async function judgeRedirections(world: World, report: Report): Promise<void> {
  const { api, accountId, servers, target } = world
  const { id } = await api.post<{ id: string }>('/zones', { name: NAME, account: { id: accountId } })
  await importFile(world, id, LINES)
  await enable(world, { id, name: NAME })
  for (const [name, server] of servers)
    await report.check(`${name} answers names at and below DNAMEs as we do`, async () => {
      await appears(server, `www.${NAME}`, '192.0.2.1')
      await answersAlike(target.dns, name, server)
    })
  await importFile(
    world,
    id,
    LINES.map((line) => CHANGED[line] ?? line),
  )
  for (const [name, server] of servers)
    await report.check(`${name} answers as we do after DNAMEs are added, changed and removed`, async () => {
      await appears(server, `www.${NAME}`, '192.0.2.21')
      await answersAlike(target.dns, name, server)
      const seen = incrementalTransfer(name, NAME)
      if (seen !== undefined) match(server.log(), seen)
    })
}

/** NSD's processes from before a reload answer for a moment beside those that have the zone. */
const OLD_PROCESSES_MILLIS = 5_000
const PAUSE_MILLIS = 200

async function answersAlike(ours: DnsAddress, name: SecondaryName, server: Nameserver): Promise<void> {
  for (const began = performance.now(); ; await sleep(PAUSE_MILLIS))
    try {
      return await compareAnswers(ours, name, server)
    } catch (error) {
      if (name !== 'nsd' || performance.now() - began > OLD_PROCESSES_MILLIS) throw error
    }
}

async function compareAnswers(ours: DnsAddress, name: SecondaryName, { port }: Nameserver): Promise<void> {
  const theirs = { host: '127.0.0.1', port }
  const more = MORE.filter(({ of }) => of.includes(name)).map(({ question }) => question)
  const alike = [...QUESTIONS, ...MORE.map(({ question }) => question)].filter((each) => !more.includes(each))
  deepEqual(await answersOf(theirs, alike), await answersOf(ours, alike))
  for (const question of more) {
    const [{ answers: their }, { answers: our }] = [
      await answerOf(theirs, question),
      await answerOf(ours, question),
    ]
    deepEqual(
      their.filter((each) => our.includes(each)),
      our,
      question,
    )
  }
}

async function answersOf(server: DnsAddress, questions: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = []
  for (const question of questions) {
    const { rcode, authoritative, answers, authorities } = await answerOf(server, question)
    // BIND adds the zone's NS records to an answer.
    const denied = authorities.filter((each) => each.startsWith('SOA '))
    seen.push([question, rcode, authoritative, ...answers, ...denied].join(' | '))
  }
  return seen
}

function answerOf(server: DnsAddress, question: string): Promise<DnsReply> {
  const [owner = '', type = ''] = question.split(' ')
  return ask(server, `${owner}.${NAME}`, type as RecordType) // the types above are types of the codec
}
