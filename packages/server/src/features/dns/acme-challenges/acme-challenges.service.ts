// TXT records that prove to a certificate authority that a name is ours (RFC 8555 §8.4): written like all records, and
// answered before the caller goes on.
import { NameError, parseName, requireTypeCode, isAtOrBelow, type Name } from '@zonereeve/dns'
import { type Actor, DomainError } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { findZoneNamed, requireZone, type Zone } from '../../zones/index.ts'
import { identityOf, NO_INPUT, rowsAt, type DnsRecords, type RecordStep } from '../dns-records/index.ts'
import type { QueryDeps } from '../query/index.ts'

export interface AcmeChallengesDeps {
  readonly storage: Storage
  readonly records: Pick<DnsRecords, 'applySteps'>
  readonly explainAnswer: QueryDeps['explainAnswer']
}

export interface HostChallenge {
  /** The name to prove, without `*.`. */
  readonly host: string
  readonly value: string
}

export type AcmeChallenges = ReturnType<typeof createAcmeChallenges>

const TXT = 'TXT'
const COMMENT = 'Challenge of a certificate authority'
/** The lowest, because authorities may have resolvers that cache. */
const TTL_SECONDS = 60

export function createAcmeChallenges({ storage, records, explainAnswer }: AcmeChallengesDeps) {
  return { publish, remove, zoneOf }

  /**
   * Can be repeated. @returns the record's name, which our nameserver answers.
   * @throws DomainError: acme_challenge.host, acme_challenge.unanswered, and those of records
   */
  async function publish(zoneId: string, challenge: HostChallenge, actor: Actor): Promise<Name> {
    const name = await apply(zoneId, challenge, actor, (existing) =>
      existing.length > 0 ? [] : [{ kind: 'create', input: inputOf(challenge) }],
    )
    if (isAnswered(zoneId, name, challenge.value)) return name
    await remove(zoneId, challenge, actor)
    throw new DomainError({ reason: 'acme_challenge.unanswered', values: { name } })
  }

  /** Can be repeated. @returns the record's name. @throws DomainError: acme_challenge.host */
  function remove(zoneId: string, challenge: HostChallenge, actor: Actor): Promise<Name> {
    return apply(zoneId, challenge, actor, (existing) => existing.map((id) => ({ kind: 'remove', id })))
  }

  /** @returns the ID of the zone that has the name; undefined if none of ours has it. */
  async function zoneOf(host: string): Promise<string | undefined> {
    const labels = host.split('.')
    for (const index of labels.keys()) {
      const zone = await findZoneNamed(storage, labels.slice(index).join('.'))
      if (zone !== undefined) return zone.id
    }
    return undefined
  }

  async function apply(
    zoneId: string,
    challenge: HostChallenge,
    actor: Actor,
    stepsFor: (existing: readonly string[]) => readonly RecordStep[],
  ): Promise<Name> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const name = challengeName(zone, challenge.host)
      const steps = stepsFor(await idsOf(tx, zone, name, challenge.value))
      if (steps.length > 0) await records.applySteps(tx, zone, steps, actor)
      return name
    })
  }

  /** Before a write resolves, it is published. */
  function isAnswered(zoneId: string, name: Name, value: string): boolean {
    const { rrsets } = explainAnswer(zoneId, name, requireTypeCode(TXT))
    return rrsets.some(({ owner, values }) => owner === name && values.includes(`"${value}"`))
  }
}

const inputOf = ({ host, value }: HostChallenge) => ({
  ...NO_INPUT,
  type: TXT,
  name: `_acme-challenge.${host}.`,
  content: `"${value}"`,
  ttl: TTL_SECONDS,
  comment: COMMENT,
})

function challengeName(zone: Zone, host: string): Name {
  const reject = (): never => {
    throw new DomainError({ reason: 'acme_challenge.host', values: { host, zone: zone.name } })
  }
  try {
    return isAtOrBelow(parseName(host), zone.name) ? parseName(`_acme-challenge.${host}`) : reject()
  } catch (error) {
    if (error instanceof NameError) return reject()
    throw error
  }
}

async function idsOf(tx: Transaction, zone: Zone, name: Name, value: string): Promise<string[]> {
  const identity = identityOf({
    type: TXT,
    rdata: Buffer.from(`${String.fromCharCode(value.length)}${value}`),
  })
  const rows = await rowsAt(tx, zone.id, [name])
  return rows.filter((row) => row.type === TXT && row.identity === identity).map(({ id }) => id)
}
