// How the world sees a zone: who answers for it, from which addresses, with which serial, and whether its signatures can
// be validated.
import { DATA_TYPE, decodeRdata, formatIpv4, formatIpv6, keyTag, parseName, type Name } from '@zonereeve/dns'
import { inOrder, problem, warning, type Finding } from './finding.ts'

export interface ExaminedZone {
  readonly name: string
  /** Whether it was found to be delegated before; before that, a missing delegation is expected. */
  readonly isActive: boolean
  readonly nameServers: readonly string[]
}

/** Undefined: no usable answer. Empty: there are no such records. */
export type Records = readonly Uint8Array[] | undefined

export interface World {
  /** By the recursive nameserver. */
  resolve(name: Name, type: number): Promise<Records>
  /** By the nameserver at an address, port 53. */
  askServer(address: string, name: Name, type: number): Promise<Records>
  /** By this server. */
  askOwn(name: Name, type: number): Promise<Records>
}

/** Names that new zones get without --name-servers; they exist nowhere. */
const PLACEHOLDER = /\.zonereeve\.internal$/
/** The flag SEP of a DNSKEY (RFC 4034 §2.1.1). */
const ENTRY_POINT = 0x0001
const IPV4_OCTETS = 4

export async function examineZone(zone: ExaminedZone, world: World): Promise<Finding[]> {
  const apex = parseName(zone.name)
  if (zone.nameServers.some((name) => PLACEHOLDER.test(name))) {
    const message = `its nameservers are placeholders: ${zone.nameServers.join(', ')}`
    const remedy = 'start with --name-servers and your names, and set them for the zone (vanity_name_servers)'
    return [warning({ check: 'delegation', subject: zone.name }, message, remedy)]
  }
  const own = await world.askOwn(apex, DATA_TYPE.SOA)
  const delegation = await examineDelegation(zone, apex, world)
  const serial = own?.[0] === undefined ? undefined : decodeRdata('SOA', own[0]).serial
  const ownFinding =
    serial === undefined
      ? [
          problem(
            { check: 'answers', subject: zone.name },
            'this server does not answer for it',
            'start it; see /readyz',
          ),
        ]
      : []
  const servers = await Promise.all(
    delegation.targets.map((target) => examineServer({ zone, apex, target, serial }, world)),
  )
  return [
    ...ownFinding,
    ...delegation.findings,
    ...servers.flat(),
    ...(await examineSignatures(zone, apex, world)),
  ]
}

async function examineDelegation(
  zone: ExaminedZone,
  apex: Name,
  world: World,
): Promise<{ findings: Finding[]; targets: readonly Name[] }> {
  const examined = { check: 'delegation', subject: zone.name }
  const found = await world.resolve(apex, DATA_TYPE.NS)
  if (found === undefined) {
    const finding = problem(examined, 'the resolver does not answer', 'check --resolver, and the way to it')
    return { findings: [finding], targets: [] }
  }
  const targets = found.map((rdata) => decodeRdata('NS', rdata).target)
  const absent = zone.nameServers.filter((name) => !targets.some((target) => target === parseName(name)))
  const foreign = targets.filter((target) => !zone.nameServers.some((name) => parseName(name) === target))
  const remedy = `at the registrar, set the nameservers ${zone.nameServers.join(', ')}`
  if (targets.length === 0) {
    const message = 'is not delegated'
    const isNew = !zone.isActive
    return {
      findings: [isNew ? warning(examined, message, remedy) : problem(examined, message, remedy)],
      targets,
    }
  }
  if (absent.length > 0)
    return {
      findings: [problem(examined, `is delegated to others than ${absent.join(', ')}`, remedy)],
      targets,
    }
  if (foreign.length > 0) {
    const message = `is also delegated to ${foreign.join(', ')}`
    return {
      findings: [warning(examined, message, 'remove them at the registrar, or transfer the zone to them')],
      targets,
    }
  }
  return { findings: [inOrder(examined, `is delegated to ${targets.join(', ')}`)], targets }
}

interface Served {
  readonly zone: ExaminedZone
  readonly apex: Name
  readonly target: Name
  /** Of this server; undefined if it does not answer. */
  readonly serial: number | undefined
}

async function examineServer({ zone, apex, target, serial }: Served, world: World): Promise<Finding[]> {
  const found = await Promise.all([DATA_TYPE.A, DATA_TYPE.AAAA].map((type) => world.resolve(target, type)))
  const addresses = found
    .flatMap((rdatas) => (rdatas === undefined ? [] : rdatas))
    .map((rdata) => (rdata.length === IPV4_OCTETS ? formatIpv4(rdata) : formatIpv6(rdata)))
  if (addresses.length === 0) {
    const isInside = target === apex || target.endsWith(`.${apex}`)
    const remedy = isInside
      ? `add A and AAAA records for ${target}, and its addresses as glue at the registrar`
      : `add A and AAAA records for ${target}`
    return [
      problem({ check: 'addresses', subject: target }, `a nameserver of ${zone.name} has no address`, remedy),
    ]
  }
  return Promise.all(
    addresses.map(async (address) => {
      const examined = { check: 'serial', subject: `${zone.name} at ${target} (${address})` }
      const found = (await world.askServer(address, apex, DATA_TYPE.SOA))?.[0]
      if (found === undefined)
        return problem(
          examined,
          'does not answer for it',
          'check that it runs, serves the zone, and that port 53 is open',
        )
      return compareSerials(examined, decodeRdata('SOA', found).serial, serial)
    }),
  )
}

/** By the arithmetic of RFC 1982. */
function compareSerials(
  examined: Pick<Finding, 'check' | 'subject'>,
  theirs: number,
  ours: number | undefined,
): Finding {
  if (ours === undefined || theirs === ours) return inOrder(examined, `serial ${theirs}`)
  const isBehind = (ours - theirs) >>> 0 < 0x8000_0000
  return isBehind
    ? warning(
        examined,
        `serial ${theirs} is behind ${ours}`,
        'wait for its refresh, or send a NOTIFY; then see its log',
      )
    : problem(
        examined,
        `serial ${theirs} is ahead of ${ours}, as after a restore: it will not take changes`,
        'transfer the zone again there: rndc retransfer, knotc zone-retransfer, nsd-control force_transfer, pdns_control retrieve',
      )
}

async function examineSignatures(zone: ExaminedZone, apex: Name, world: World): Promise<Finding[]> {
  const examined = { check: 'DS', subject: zone.name }
  const [keys, parent] = [await world.askOwn(apex, DATA_TYPE.DNSKEY), await world.resolve(apex, DATA_TYPE.DS)]
  if (keys === undefined || parent === undefined) return []
  const tags = keys
    .filter((rdata) => (decodeRdata('DNSKEY', rdata).flags & ENTRY_POINT) !== 0)
    .map((rdata) => keyTag(decodeRdata('DNSKEY', rdata)))
  const parentTags = parent.map((rdata) => decodeRdata('DS', rdata).keyTag)
  if (tags.length === 0 && parentTags.length === 0) return []
  if (parentTags.length === 0)
    return [
      warning(
        examined,
        'the zone is signed, but the parent has no DS',
        'give the registrar the DS: zonereeve dnssec',
      ),
    ]
  if (!tags.some((tag) => parentTags.includes(tag))) {
    const message = `no key of the zone belongs to the DS ${parentTags.join(', ')} at the parent: validating resolvers reject all answers`
    return [problem(examined, message, 'replace the DS at the registrar, or remove it there at once')]
  }
  return [inOrder(examined, 'the parent has a DS of a key of the zone')]
}
