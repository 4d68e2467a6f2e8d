// Explains an answer of the nameserver by the stored records behind it. About zones other than the queried one, it
// reveals only public data.
import { META_TYPE, type Name, rdataTextByCode, typeText } from '@zonereeve/dns'
import type { AnswerChain, AnsweredRrset, AnswerSource, AnswerStep, ExplainedAnswer } from '../query/index.ts'
import type {
  AnsweredRrset as ServedRrset,
  Explain,
  Look,
  ZoneRecord,
  ZoneTable,
} from '@zonereeve/nameserver'
import type { Chain, Derivation, Publication } from './publication.ts'
import { isProxiable, TYPE } from './stored-record.ts'

export interface ExplainAnswerDeps {
  readonly explain: Explain
  readonly publication: Pick<Publication, 'derivationOf'>
  readonly table: Pick<ZoneTable, 'records'>
}

export function createExplainAnswer({ explain, publication, table }: ExplainAnswerDeps) {
  return (zoneId: string, name: Name, type: number): ExplainedAnswer => {
    const { rcode, flags, isTruncatedOverUdp, rrsets, looks } = explain(name, type)
    return {
      rcode,
      flags,
      isTruncatedOverUdp,
      rrsets: rrsets.map((rrset) => toRrset(rrset, zoneId, rrsets)),
      steps: looks.map((look) => toStep(look, zoneId, type)),
    }
  }

  function toRrset(rrset: ServedRrset, zoneId: string, all: readonly ServedRrset[]): AnsweredRrset {
    const { section, owner, type, ttlSeconds, rdatas } = rrset
    const values = rdatas.map((rdata) => rdataTextByCode(type, rdata))
    const { source, recordIds } = originOf(rrset, zoneId, all)
    return { section, owner, type: typeText(type), ttlSeconds, values, source, recordIds }
  }

  function originOf(
    { zoneId, type, owner, records }: ServedRrset,
    askedZoneId: string,
    all: readonly ServedRrset[],
  ): { readonly source: AnswerSource; readonly recordIds: readonly string[] } {
    if (zoneId !== askedZoneId) return { source: 'other_zone', recordIds: [] }
    const [first] = records
    if (first === undefined && type === TYPE.CNAME) {
      // The DNAME is in the answer before it.
      const behind = all.filter((rrset) => rrset.type === DNAME && owner.endsWith(`.${rrset.owner}`))
      return {
        source: 'redirection',
        recordIds: behind.flatMap((rrset) => rrset.records.map(({ id }) => id)),
      }
    }
    if (first === undefined) return { source: type === HINFO ? 'any_stand_in' : 'zone', recordIds: [] }
    const derivation = publication.derivationOf(zoneId, first.name as Name) // the table returns the Names it was given
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
    const derivation = mayBeDerived ? publication.derivationOf(zoneId, owner) : undefined
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
const DNAME = 39
/** Query types whose answer depends on how a name is published; all other types are published as stored. */
const DERIVED_TYPES: ReadonlySet<number> = new Set([TYPE.A, TYPE.AAAA, TYPE.CNAME, TYPE.HTTPS, META_TYPE.ANY])
const isAddressType = (type: number): boolean => type === TYPE.A || type === TYPE.AAAA

type Kind = 'edge' | 'flattened' | 'withheld'

/** How the name is derived; undefined if all of its records are published as stored. */
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

/** The target of another zone's flattened CNAME is not public: the chain is reported up to there. */
function toChain({ type, links, end }: Chain, askedZoneId: string): AnswerChain {
  const secret = links.findIndex(({ zoneId, isFlattened }) => isFlattened && zoneId !== askedZoneId)
  const shown = secret === -1 ? links : links.slice(0, secret + 1)
  return {
    type: typeText(type),
    names: shown.map(({ name, zoneId }) => ({ name, isServedHere: zoneId !== undefined })),
    end: end.kind,
  }
}
