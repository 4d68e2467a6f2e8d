// Compares the answering algorithm with a simple second one that follows RFC 1034 §4.3.2 literally, without maps,
// keys or octets.
import {
  compareOctets,
  isAtOrBelow,
  MAX_NAME_OCTETS,
  type Name,
  nameToWire,
  parentOf,
  parseName,
  ROOT,
} from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client, zoneOf } from './asking.cases.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'

const APEX = parseName('example.com')

interface Line {
  readonly name: Name
  readonly type: string
  /** Presentation format, absolute. */
  readonly rdata: string
}

interface Outcome {
  readonly rcode: string
  readonly aa: boolean
  readonly answer: string[]
  /** `SOA`, the cut and its servers, or empty. */
  readonly authority: string[]
}

function resolve(records: readonly Line[], qname: Name, qtype: string): Outcome {
  const served = records.filter((r) => r.name !== APEX || r.type !== 'NS')
  const exists = (name: Name): boolean => name === APEX || served.some((r) => isAtOrBelow(r.name, name))
  const at = (name: Name, type: string): Line[] => served.filter((r) => r.name === name && r.type === type)
  const answer: string[] = []
  const visited: Name[] = []
  for (let name = qname; ;) {
    if (!isAtOrBelow(name, APEX)) return { rcode: 'NOERROR', aa: true, answer, authority: [] }
    const cut = ancestorsFromApex(name).find(
      (each) => at(each, 'NS').length > 0 && !(each === name && qtype === 'TYPE43'),
    )
    // The owner closer to the apex hides the other.
    const owner = [APEX, ...ancestorsFromApex(cut ?? name)].find(
      (each) => each !== (cut ?? name) && at(each, 'DNAME').length > 0,
    )
    const refer = (owner: Name, servers: Line[]): Outcome => ({
      rcode: 'NOERROR',
      aa: visited.length > 0,
      answer,
      authority: [...new Set(servers.map((r) => `${owner} NS ${r.rdata}`))].toSorted(),
    })
    if (owner !== undefined) {
      const [dname] = at(owner, 'DNAME').toSorted(byTarget)
      const line = `${owner} DNAME ${dname?.rdata}`
      if (!answer.includes(line)) answer.push(line)
      const target = `${name.slice(0, -owner.length)}${dname?.rdata}`
      if (target.length + 1 > MAX_NAME_OCTETS) return { rcode: 'YXDOMAIN', aa: true, answer, authority: [] }
      answer.push(`${name} CNAME ${target}`)
      visited.push(name)
      name = parseName(target)
      if (
        ['CNAME', 'ANY'].includes(qtype) ||
        visited.length === DEFAULT_LIMITS.cnameLinks ||
        visited.includes(name)
      )
        return { rcode: 'NOERROR', aa: true, answer, authority: [] }
      continue
    }
    if (cut !== undefined) return refer(cut, at(cut, 'NS'))
    let source = name
    if (!exists(name)) {
      let encloser = name
      while (!exists(encloser)) encloser = parentOf(encloser) ?? ROOT
      source = parseName(`*.${encloser}`)
      if (!exists(source)) return { rcode: 'NXDOMAIN', aa: true, answer, authority: ['SOA'] }
      if (at(source, 'NS').length > 0 && qtype !== 'TYPE43') return refer(name, at(source, 'NS'))
    }
    const negative: Outcome = { rcode: 'NOERROR', aa: true, answer, authority: ['SOA'] }
    const positive = (lines: Line[]): Outcome => {
      const added = lines.map((r) => `${name} ${r.type} ${r.rdata}`)
      // A chain may lead back to a DNAME that is in the answer.
      answer.push(...[...new Set(added)].filter((line) => !answer.includes(line)))
      return { rcode: 'NOERROR', aa: true, answer, authority: [] }
    }
    // An alias has one target (RFC 2181 §10.1): of several, the first in canonical order is used.
    const aliases = at(source, 'CNAME').toSorted(byTarget).slice(0, 1)
    if (qtype === 'ANY') {
      if (aliases.length > 0) return positive(aliases)
      if (source === APEX || served.some((r) => r.name === source)) {
        return positive([{ name, type: 'HINFO', rdata: '"RFC8482" ""' }])
      }
      return negative
    }
    if (source === APEX && qtype === 'NS')
      return positive(['ns1', 'ns2'].map((ns) => ({ name, type: 'NS', rdata: `${ns}.example.net.` })))
    if (qtype === 'DNAME' && at(source, qtype).length > 0)
      return positive(at(source, qtype).toSorted(byTarget).slice(0, 1))
    if (at(source, qtype).length > 0) return positive(qtype === 'CNAME' ? aliases : at(source, qtype))
    const [alias] = aliases
    if (alias === undefined) return negative
    positive(aliases)
    visited.push(name)
    name = parseName(alias.rdata)
    if (visited.includes(name)) return { rcode: 'NOERROR', aa: true, answer, authority: [] }
  }
}

const byTarget = (x: Line, y: Line): number =>
  compareOctets(nameToWire(parseName(x.rdata)), nameToWire(parseName(y.rdata)))

/** Names from just below the apex down to the name itself. */
function ancestorsFromApex(name: Name): Name[] {
  const names: Name[] = []
  for (let each = name; each !== APEX; each = parentOf(each) ?? ROOT) names.unshift(each)
  return names
}

test('random zones are answered as the simple algorithm answers them', () => {
  const questions = QUESTIONS.map((question): [string, Name, string] => {
    const [name = '', type = ''] = question.split(' ')
    return [question, parseName(name), type]
  })
  let compared = 0
  fc.assert(
    fc.property(fc.array(RECORD_LINE, { maxLength: 10 }), (lines) => {
      const { ask } = client([zoneOf('example.com', lines.join('\n'))])
      const records = lines.map(readLine)
      for (const [question, name, type] of questions) {
        const seen = ask(question, { transport: 'tcp' })
        const outcome: Outcome = {
          rcode: seen.rcode,
          aa: seen.flags === 'aa',
          answer: seen.answer.map(withoutTtl).toSorted(),
          authority: seen.authority
            .map((each) => (each.includes(' SOA ') ? 'SOA' : withoutTtl(each)))
            .toSorted(),
        }
        const expected = resolve(records, name, type)
        if (JSON.stringify(outcome) !== JSON.stringify({ ...expected, answer: expected.answer.toSorted() })) {
          expect({ question, ...outcome }).toEqual({
            question,
            ...expected,
            answer: expected.answer.toSorted(),
          })
        }
        compared += 1
      }
    }),
    { numRuns: 100 },
  )
  expect(compared).toBeGreaterThan(10_000)
})

function readLine(line: string): Line {
  const [, name = '', type = '', rdata = ''] = /^(\S+) \d+ (\S+) (.*)$/.exec(line) ?? []
  const absolute = (text: string): string => (text.endsWith('.') ? text : `${text}.example.com.`)
  const strings: Record<string, string> = {
    TYPE43: '\\# 4 00010d02',
    CNAME: absolute(rdata),
    DNAME: absolute(rdata),
    NS: absolute(rdata),
    SVCB: rdata.replace(/\S+$/, absolute),
    MX: rdata.replace(/\S+$/, absolute),
  }
  return { name: name === '@' ? APEX : parseName(`${name}.${APEX}`), type, rdata: strings[type] ?? rdata }
}

/** TTLs are covered by other tests. */
function withoutTtl(line: string): string {
  return line.replace(/^(\S+) \d+ /, '$1 ')
}
