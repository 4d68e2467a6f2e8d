// What the nameserver answers, told by the stored records that are behind it. Of other zones than the one that is asked
// about no more is told than everybody can see.
import { META_TYPE, rdataTextByCode, typeText } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import type {
  AnswerChain,
  AnsweredRrset,
  AnswerSource,
  AnswerStep,
  ExplainedAnswer,
} from '../features/query/index.ts'
import type {
  AnsweredRrset as ServedRrset,
  Explain,
  Look,
  ZoneRecord,
  ZoneTable,
} from '../nameserver/index.ts'
import type { Chain, Derivation, Serving } from './serving.ts'
import { isProxiable, TYPE } from './stored-record.ts'

export interface ExplainAnswerDeps {
  readonly explain: Explain
  readonly serving: Pick<Serving, 'derivationOf'>
  readonly table: Pick<ZoneTable, 'records'>
}

export function createExplainAnswer({ explain, serving, table }: ExplainAnswerDeps) {
  return (zoneId: string, name: Name, type: number): ExplainedAnswer => {
    const { rcode, flags, isTruncatedOverUdp, rrsets, looks } = explain(name, type)
    return {
      rcode,
      flags,
      isTruncatedOverUdp,
      rrsets: rrsets.map((rrset) => toRrset(rrset, zoneId)),
      steps: looks.map((look) => toStep(look, zoneId, type)),
    }
  }

  function toRrset(rrset: ServedRrset, zoneId: string): AnsweredRrset {
    const { section, owner, type, ttlSeconds, rdatas } = rrset
    const values = rdatas.map((rdata) => rdataTextByCode(type, rdata))
    const { source, recordIds } = originOf(rrset, zoneId)
    return { section, owner, type: typeText(type), ttlSeconds, values, source, recordIds }
  }

  function originOf(
    { zoneId, type, records }: ServedRrset,
    askedZoneId: string,
  ): { readonly source: AnswerSource; readonly recordIds: readonly string[] } {
    if (zoneId !== askedZoneId) return { source: 'other_zone', recordIds: [] }
    const [first] = records
    if (first === undefined) return { source: type === HINFO ? 'any_stand_in' : 'zone', recordIds: [] }
    const derivation = serving.derivationOf(zoneId, first.name as Name) // the table holds what it was given: Names
    if (derivation === undefined || records.every((record) => isStored(record, derivation)))
      return { source: 'stored', recordIds: records.map(({ id }) => id) }
    if (derivation.alias !== undefined)
      return { source: 'flattened', recordIds: [derivation.alias.record.id] }
    return { source: type === TYPE.HTTPS ? 'https_on_the_fly' : 'edge', recordIds: proxiedIds(derivation) }
  }

  function toStep(look: Look, askedZoneId: string, type: number): AnswerStep {
    if (look.outcome === 'outside') return look
    const { outcome, name, zoneId, apex: zoneName, owner, closestEncloser, isEmpty } = look
    const mayBeDerived = zoneId === askedZoneId && owner !== undefined && DERIVED_TYPES.has(type)
    const derivation = mayBeDerived ? serving.derivationOf(zoneId, owner) : undefined
    const kind = derivation && owner && kindOf(derivation, table.records(zoneId, owner))
    return {
      outcome,
      name,
      zoneName,
      owner,
      closestEncloser,
      isEmpty,
      derivation: kind,
      recordIds: kind === undefined || derivation === undefined ? [] : idsBehind(kind, derivation),
      chains:
        kind === undefined || derivation === undefined
          ? []
          : derivation.chains
              .filter((chain) => type === chain.type || !isAddressType(type))
              .map((chain) => toChain(chain, askedZoneId)),
    }
  }
}

const HINFO = 13
/** Questions whose answer depends on how a name is served; all other types are served as they are stored. */
const DERIVED_TYPES: ReadonlySet<number> = new Set([TYPE.A, TYPE.AAAA, TYPE.CNAME, TYPE.HTTPS, META_TYPE.ANY])
const isAddressType = (type: number): boolean => type === TYPE.A || type === TYPE.AAAA

type Kind = 'edge' | 'flattened' | 'withheld'

/** What is done to the name; undefined where all of its records are served as they are stored. */
function kindOf(derivation: Derivation, served: readonly ZoneRecord[]): Kind | undefined {
  const isSynthesised = served.some((record) => !isStored(record, derivation))
  if (derivation.alias !== undefined)
    return isServed(derivation.alias.record, served) ? undefined : 'flattened'
  if (isSynthesised) return 'edge'
  return derivation.stored.every((record) => isServed(record, served)) ? undefined : 'withheld'
}

const isStored = ({ id, type }: ZoneRecord, { stored }: Derivation): boolean =>
  stored.some((record) => record.id === id && record.type === type)

const isServed = ({ id, type }: ZoneRecord, served: readonly ZoneRecord[]): boolean =>
  served.some((record) => record.id === id && record.type === type)

function idsBehind(kind: Kind, derivation: Derivation): readonly string[] {
  if (kind === 'flattened') return derivation.alias === undefined ? [] : [derivation.alias.record.id]
  if (kind === 'edge') return proxiedIds(derivation)
  return derivation.stored.filter(isProxiable).map(({ id }) => id)
}

const proxiedIds = ({ stored }: Derivation): readonly string[] =>
  stored.filter(({ options }) => options?.proxied === true).map(({ id }) => id)

/** Where the flattened CNAME of another zone leads is that zone's secret: the chain is told up to there. */
function toChain({ type, links, end }: Chain, askedZoneId: string): AnswerChain {
  const secret = links.findIndex(({ zoneId, isFlattened }) => isFlattened && zoneId !== askedZoneId)
  const shown = secret === -1 ? links : links.slice(0, secret + 1)
  return {
    type: typeText(type),
    names: shown.map(({ name, zoneId }) => ({ name, isServedHere: zoneId !== undefined })),
    end: end.kind,
  }
}
