// What a name is served as, given what is stored at it: the rules, without what they need from elsewhere.
import { decodeRdata } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import type { ServingSettings } from '../features/zones/index.ts'
import type { ZoneRecord } from '../nameserver/index.ts'
import { edgeAnswers, familiesOf, type EdgeAddresses, type EdgeAnswers } from './edge-addresses.ts'
import { isProxiable, TYPE, type StoredRecord } from './stored-record.ts'

/** What of a zone's settings decides about names. */
export type NameSettings = Pick<ServingSettings, 'flattenAllCnames' | 'zoneMode' | 'http2' | 'http3'>

/** What the names of a zone are planned by; zones with the same settings share it. */
export interface NameRules {
  readonly settings: NameSettings
  /** Undefined without an edge. */
  readonly answers: EdgeAnswers | undefined
}

export interface Surroundings extends NameRules {
  readonly apex: Name
}

/** Gives each combination of settings its one set of rules: there are few of them and many zones. */
export function createNameRules(edge: EdgeAddresses | undefined): (settings: NameSettings) => NameRules {
  const known = new Map<string, NameRules>()
  return ({ flattenAllCnames, zoneMode, http2, http3 }) => {
    const key = [flattenAllCnames, zoneMode, http2, http3].join()
    let rules = known.get(key)
    if (rules === undefined) {
      const settings = { flattenAllCnames, zoneMode, http2, http3 }
      known.set(key, (rules = { settings, answers: edge && edgeAnswers(edge, settings) }))
    }
    return rules
  }
}

export interface Plan {
  /** Served whatever stands elsewhere. */
  readonly records: readonly ZoneRecord[]
  /** The CNAME in whose place the name is served with the addresses at the end of the chain that begins there. */
  readonly alias: Alias | undefined
}

export interface Alias {
  readonly record: ZoneRecord
  readonly target: Name
}

/** Whether a name with this record may have to be served otherwise than it is stored. */
export function isSpecial(record: StoredRecord, { apex, settings }: Surroundings): boolean {
  if (record.options !== undefined) return true
  if (!isProxiable(record)) return false
  if (settings.zoneMode === 'cdn_only') return true
  return record.type === TYPE.CNAME && (settings.flattenAllCnames || record.name === apex)
}

/** The plan for one name with all that is stored at it. */
export function planName(stored: readonly StoredRecord[], around: Surroundings): Plan {
  const { apex, settings, answers } = around
  const others = stored.filter((record) => !isProxiable(record))
  const origins = stored.filter(isProxiable)
  const name = origins[0]?.name
  if (name === undefined) return asStored(stored)

  // One proxied record makes all of its name proxied.
  const proxied = settings.zoneMode !== 'dns_only' && origins.some(({ options }) => options?.proxied === true)
  if (proxied && answers !== undefined) {
    const wanted = origins.flatMap(({ options }) => (options?.proxied === true ? [options.families] : []))
    return asStored([...others, ...edgeRecords(name, others, answers[familiesOf(wanted)])])
  }
  if (!proxied && settings.zoneMode === 'cdn_only') return asStored(others)
  const cname = origins.find(({ type }) => type === TYPE.CNAME)
  const isFlat =
    proxied || name === apex || settings.flattenAllCnames || cname?.options?.flattenCname === true
  if (cname === undefined || !isFlat) return asStored(stored)
  return {
    records: others,
    alias: { record: cname, target: decodeRdata('CNAME', cname.rdata).target },
  }
}

const asStored = (records: readonly ZoneRecord[]): Plan => ({ records, alias: undefined })

/** Of the types that are not stored at the name: a stored HTTPS record wins. */
function edgeRecords(
  name: string,
  others: readonly ZoneRecord[],
  answers: EdgeAnswers[keyof EdgeAnswers],
): ZoneRecord[] {
  const hasHttps = others.some(({ type }) => type === TYPE.HTTPS)
  const wanted = hasHttps ? answers.filter(({ type }) => type !== TYPE.HTTPS) : answers
  return wanted.map(({ id, type, ttl, rdata }) => ({ id, name, type, ttl, rdata }))
}
