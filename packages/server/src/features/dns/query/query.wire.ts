// Explained answers in wire form.
import type { WireQueryAnswer } from '@zonereeve/contract'
import { describeStep, type AnsweredRrset, type AnswerStep } from './query.rules.ts'
import type { AnsweredQuestion } from './query.service.ts'

export function toWireAnswer(answer: AnsweredQuestion): WireQueryAnswer {
  const { name, type, rcode, flags, isTruncatedOverUdp, rrsets, steps } = answer
  const section = (desired: AnsweredRrset['section']) =>
    rrsets.filter(({ section: own }) => own === desired).flatMap(linesOf)
  return {
    name,
    type,
    rcode,
    flags: [...flags],
    truncated_over_udp: isTruncatedOverUdp,
    answer: section('answer'),
    authority: section('authority'),
    additional: section('additional'),
    rrsets: rrsets.map((rrset) => ({
      section: rrset.section,
      name: rrset.owner,
      type: rrset.type,
      ttl: rrset.ttlSeconds,
      source: rrset.source,
      record_ids: [...rrset.recordIds],
    })),
    steps: steps.map((step) => toWireStep(step, type)),
  }
}

const linesOf = ({ owner, ttlSeconds, type, values }: AnsweredRrset): string[] =>
  values.map((value) => `${owner === '.' ? '' : owner}. ${ttlSeconds} IN ${type} ${value}`)

function toWireStep(step: AnswerStep, type: string): WireQueryAnswer['steps'][number] {
  const text = describeStep(step, type)
  if (step.outcome === 'outside') {
    return { outcome: step.outcome, name: step.name, ...NOTHING_KNOWN, explanation: text }
  }
  return {
    outcome: step.outcome,
    name: step.name,
    zone_name: step.zoneName,
    owner: step.owner ?? null,
    closest_encloser: step.closestEncloser,
    empty_non_terminal: step.isEmpty,
    derivation: step.derivation ?? null,
    record_ids: [...step.recordIds],
    chains: step.chains.map((chain) => ({
      type: chain.type,
      names: chain.names.map(({ name, isServedHere }) => ({ name, served_here: isServedHere })),
      end: chain.end,
    })),
    explanation: text,
  }
}

const NOTHING_KNOWN = {
  zone_name: null,
  owner: null,
  closest_encloser: null,
  empty_non_terminal: false,
  derivation: null,
  record_ids: [],
  chains: [],
}
