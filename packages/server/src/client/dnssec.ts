// zonereeve dnssec: whether a zone is signed, with which keys, and their exchange.
import type { WireDnssec, WireDnssecKeys } from '@zonereeve/contract'
import type { Command } from 'commander'
import type { Api } from './api.ts'
import type { Row } from './output.ts'
import { client, run, write, type Print } from './verb.ts'

const KEY_COLUMNS = ['role', 'state', 'key_tag', 'algorithm', 'since', 'next_on', 'ds']

export function addDnssecCommands(program: Command): void {
  const dnssec = program.command('dnssec').description('sign zones, and exchange their keys')
  client(dnssec.command('status <zone>'))
    .description('whether a zone is signed, and its keys with what they wait for')
    .action(
      run(async (api, [zone = ''], print) => {
        const { result: found } = await api.call<WireDnssecKeys>('GET', `${await ownPath(api, zone)}/keys`)
        process.stderr.write(`note: ${found.status}\n`)
        printKeys(found, print)
      }),
    )
  for (const [name, status, description] of SWITCHES) {
    changing(dnssec.command(`${name} <zone>`))
      .description(description)
      .action(
        run(async (api, [zone = ''], print, options) => {
          const path = `/zones/${await api.zoneId(zone)}/dnssec`
          const result = await write(api, 'PATCH', path, { status }, options)
          const shown = result as unknown as WireDnssec // of its schema
          print([{ status: shown.status, ds: shown.ds }], ['status', 'ds'])
        }),
      )
  }
  for (const [name, role, description] of ROLLS) {
    changing(dnssec.command(`${name} <zone>`))
      .description(description)
      .action(
        run(async (api, [zone = ''], print, options) => {
          const result = await write(api, 'POST', `${await ownPath(api, zone)}/roll`, { role }, options)
          printKeys(result as unknown as WireDnssecKeys, print) // of its schema
        }),
      )
  }
  changing(dnssec.command('roll-algorithm <zone> <algorithm>'))
    .description('begin to exchange all keys for those of another algorithm: ECDSAP256SHA256 or ED25519')
    .action(
      run(async (api, [zone = '', algorithm = ''], print, options) => {
        const result = await write(api, 'POST', `${await ownPath(api, zone)}/roll`, { algorithm }, options)
        printKeys(result as unknown as WireDnssecKeys, print) // of its schema
      }),
    )
  changing(dnssec.command('parent <zone> [tags...]'))
    .description('look now at which DS the parent publishes; with key tags, or --none, take it from you')
    .option('--none', 'the parent has no DS')
    .action(
      run(async (api, [zone = '', ...given], print, options) => {
        const tags = given.flat()
        if (tags.length > 0 && options['none'] === true) throw new Error('give key tags, or --none')
        const told = tags.length > 0 || options['none'] === true
        const body = told ? { key_tags: tags.map(Number) } : {}
        const result = await write(api, 'POST', `${await ownPath(api, zone)}/parent_check`, body, options)
        printKeys(result as unknown as WireDnssecKeys, print) // of its schema
      }),
    )
}

const SWITCHES = [
  ['enable', 'active', 'sign a zone; prints the DS for its parent'],
  ['disable', 'disabled', 'end signing, once the DS is gone from the parent'],
] as const

const ROLLS = [
  ['roll-zsk', 'zsk', 'begin to exchange the key that signs the data'],
  ['roll-ksk', 'ksk', 'begin to exchange the key that the parent points to'],
] as const

const changing = (command: Command): Command =>
  client(command).option('--dry-run', 'tell what would be refused')

const ownPath = async (api: Api, zone: string): Promise<string> =>
  `/zonereeve/zones/${await api.zoneId(zone)}/dnssec`

function printKeys({ keys }: WireDnssecKeys, print: Print): void {
  print(keys as unknown as Row[], KEY_COLUMNS) // rows are objects of whatever members
}
