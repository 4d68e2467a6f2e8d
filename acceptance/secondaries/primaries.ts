// Third-party nameservers as primaries of our zone: configured as in docs/transfers.md, with a zone that tests change.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDNS_SCHEMA } from '../../scripts/requirements.ts'
import {
  daemon,
  must,
  nsdConfiguration,
  put,
  startKnotWith,
  startNamedWith,
  type Nameserver,
  type Start,
  type StartedKnot,
} from './nameservers.ts'
import { pageBlock } from './transfers-page.ts'

export interface Primary extends Nameserver {
  /** Sets the address of `www`, bumps the serial, and makes the server send NOTIFY. */
  readonly change: (address: string) => Promise<void>
}

/** A zone as a zone file. */
export interface PrimaryZone {
  readonly name: string
  readonly text: (serial: number, address: string) => string
}

/** By the name of the test requirement. */
export const PRIMARIES = {
  knotd: startKnotPrimary,
  named: startNamedPrimary,
  nsd: startNsdPrimary,
  pdns: startPdnsPrimary,
} as const

export const FIRST_SERIAL = 10
export const FIRST_ADDRESS = '192.0.2.1'

const fileOf = ({ name }: PrimaryZone): string => `${name}.zone`

/** The zone's file, and the function that writes its next version. */
function zoneFile(folder: string, zone: PrimaryZone): (address: string) => void {
  let serial = FIRST_SERIAL
  const path = put(folder, fileOf(zone), zone.text(serial, FIRST_ADDRESS))
  return (address) => writeFileSync(path, zone.text((serial += 1), address))
}

export async function startKnotPrimary(start: Start, zone: PrimaryZone): Promise<Primary> {
  zoneFile(start.folder, zone)
  const server = await startKnotWith(start, blockFor('knot-primary', start, zone))
  return { ...server, change: (address) => changeAtKnot(server, zone, address) }
}

/** Sets the address of `www`. */
export async function changeAtKnot(
  { knotc }: StartedKnot,
  { name }: Pick<PrimaryZone, 'name'>,
  address: string,
): Promise<void> {
  await knotc('zone-begin', name)
  await knotc('zone-unset', name, 'www', 'A')
  await knotc('zone-set', name, 'www', '60', 'A', address)
  await knotc('zone-commit', name)
}

async function startNamedPrimary(start: Start, zone: PrimaryZone): Promise<Primary> {
  zoneFile(start.folder, zone)
  const block = blockFor('named-primary', start, zone).replace('type primary;', UPDATED_HERE)
  const server = await startNamedWith(start, block, ' notify-delay 0;\n')
  return { ...server, change: (address) => changeAtNamed(start, zone, address) }
}

/** A primary zone that nsupdate may change. */
export const UPDATED_HERE = 'type primary;\n allow-update { 127.0.0.1; };'

/** Sets the address of `www`. */
export async function changeAtNamed(
  { folder, port }: Start,
  { name }: Pick<PrimaryZone, 'name'>,
  address: string,
): Promise<void> {
  const lines = [`update delete www.${name}. A`, `update add www.${name}. 60 A ${address}`]
  const script = `server 127.0.0.1 ${port}\nzone ${name}\n${lines.join('\n')}\nsend\n`
  await must('nsupdate', [put(folder, 'update', script)])
}

async function startNsdPrimary(start: Start, zone: PrimaryZone): Promise<Primary> {
  const { folder } = start
  const writeNext = zoneFile(folder, zone)
  const file = put(folder, 'nsd.conf', nsdConfiguration(start, blockFor('nsd-primary', start, zone)))
  const server = await daemon('nsd', ['-d', '-c', file], start)
  return {
    ...server,
    async change(address) {
      writeNext(address)
      await must('nsd-control', ['-c', file, 'reload', zone.name])
    },
  }
}

async function startPdnsPrimary(start: Start, zone: PrimaryZone): Promise<Primary> {
  const { folder, port } = start
  put(
    folder,
    'pdns.conf',
    `local-address=127.0.0.1\nlocal-port=${port}\nsocket-dir=${folder}\nsetuid=\nsetgid=\nguardian=no\ndaemon=no\n` +
      `loglevel=5\nsecurity-poll-suffix=\n${blockFor('pdns-primary', start, zone)}`,
  )
  zoneFile(folder, zone)
  await must('sqlite3', [join(folder, 'pdns.sqlite3'), `.read ${PDNS_SCHEMA}`])
  const pdnsutil = (...args: readonly string[]) => must('pdnsutil', [`--config-dir=${folder}`, ...args])
  for (const line of blockFor('pdnsutil-primary', start, zone).trim().split('\n'))
    await pdnsutil(...line.split(' ').slice(1))
  const server = await daemon('pdns_server', [`--config-dir=${folder}`], start)
  return {
    ...server,
    async change(address) {
      await pdnsutil('replace-rrset', zone.name, 'www', 'A', '60', address)
      await pdnsutil('increase-serial', zone.name)
      for (const command of [
        ['purge', `${zone.name}$`],
        ['notify', zone.name],
      ])
        await must('pdns_control', [`--config-dir=${folder}`, ...command])
    },
  }
}

/** The zone in the page's block is `followed.example`. */
function blockFor(kind: string, start: Start, { name }: PrimaryZone): string {
  return pageBlock(kind, start).replaceAll('followed.example', name)
}
