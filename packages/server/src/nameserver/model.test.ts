// The answering algorithm against a second one that is as plain as RFC 1034 §4.3.2 and knows no maps, keys or octets.
import { compareOctets, isAtOrBelow, nameToWire, parentOf, parseName, ROOT } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { asker, zoneOf } from './asking.cases.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'

const APEX = parseName('example.com')

interface Line {
  readonly name: Name
  readonly type: string
  /** Presentation, absolute. */
  readonly rdata: string
}

interface Outcome {
  readonly rcode: string
  readonly aa: boolean
  readonly answer: string[]
  /** `SOA`, the cut and its servers, or nothing. */
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
    const refer = (owner: Name, servers: Line[]): Outcome => ({
      rcode: 'NOERROR',
      aa: visited.length > 0,
      answer,
      authority: [...new Set(servers.map((r) => `${owner} NS ${r.rdata}`))].toSorted(),
    })
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
      answer.push(...new Set(lines.map((r) => `${name} ${r.type} ${r.rdata}`)))
      return { rcode: 'NOERROR', aa: true, answer, authority: [] }
    }
    // An alias has one target (RFC 2181 §10.1): of several, the first in canonical order counts.
    const aliases = at(source, 'CNAME')
      .toSorted((x, y) => compareOctets(nameToWire(parseName(x.rdata)), nameToWire(parseName(y.rdata))))
      .slice(0, 1)
    if (qtype === 'ANY') {
      if (aliases.length > 0) return positive(aliases)
      if (source === APEX || served.some((r) => r.name === source)) {
        return positive([{ name, type: 'HINFO', rdata: '"RFC8482" ""' }])
      }
      return negative
    }
    if (source === APEX && qtype === 'NS')
      return positive(['ns1', 'ns2'].map((ns) => ({ name, type: 'NS', rdata: `${ns}.example.net.` })))
    if (at(source, qtype).length > 0) return positive(qtype === 'CNAME' ? aliases : at(source, qtype))
    const [alias] = aliases
    if (alias === undefined) return negative
    positive(aliases)
    visited.push(name)
    name = parseName(alias.rdata)
    if (visited.includes(name)) return { rcode: 'NOERROR', aa: true, answer, authority: [] }
  }
}

/** Names from just below the apex down to the name itself. */
function ancestorsFromApex(name: Name): Name[] {
  const names: Name[] = []
  for (let each = name; each !== APEX; each = parentOf(each) ?? ROOT) names.unshift(each)
  return names
}

test('random zones are answered as the plain algorithm answers them', () => {
  const questions = QUESTIONS.map((question): [string, Name, string] => {
    const [name = '', type = ''] = question.split(' ')
    return [question, parseName(name), type]
  })
  let compared = 0
  fc.assert(
    fc.property(fc.array(RECORD_LINE, { maxLength: 10 }), (lines) => {
      const { ask } = asker([zoneOf('example.com', lines.join('\n'))])
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
  const texts: Record<string, string> = {
    TYPE43: '\\# 4 00010d02',
    CNAME: absolute(rdata),
    NS: absolute(rdata),
    MX: rdata.replace(/\S+$/, absolute),
  }
  return { name: name === '@' ? APEX : parseName(`${name}.${APEX}`), type, rdata: texts[type] ?? rdata }
}

/** The model leaves TTLs to other tests. */
function withoutTtl(line: string): string {
  return line.replace(/^(\S+) \d+ /, '$1 ')
}
