// DNS settings: how a zone's SOA, name servers and aliases are answered, and the defaults for an account's new zones
// (specification §2.2, rules 2 and 7 and the SOA fields).
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, oneOf } from './primitives.ts'

export const ZONE_MODES = ['standard', 'cdn_only', 'dns_only'] as const

const RNAME =
  'Mailbox of the administrator as a name: its first label is the local part, with dots in it written as `\\.`.'

const WireSoa = Type.Object({
  mname: Type.String({
    description:
      'Primary name server. Default: the zone’s first name server; empty in an account’s defaults.',
  }),
  rname: Type.String({
    description: `${RNAME} Default: hostmaster of the zone; empty in an account’s defaults.`,
  }),
  refresh: Type.Integer(),
  retry: Type.Integer(),
  expire: Type.Integer(),
  min_ttl: Type.Integer({ description: 'Seconds that a negative answer is cached (RFC 2308).' }),
  ttl: Type.Integer({ description: 'TTL of the SOA record itself.' }),
})

export const WireDnsSettings = namedObject('DnsSettings', {
  flatten_all_cnames: Type.Boolean(),
  foundation_dns: Type.Literal(false),
  internal_dns: Type.Object({}),
  multi_provider: Type.Boolean(),
  nameservers: Type.Object({
    type: oneOf(['cloudflare.standard', 'custom.zone']),
    ns_set: Type.Optional(Type.Integer({ description: 'Not in an account’s defaults.' })),
  }),
  ns_ttl: Type.Integer(),
  secondary_overrides: Type.Boolean(),
  soa: WireSoa,
  zone_mode: oneOf(ZONE_MODES),
})
export type WireDnsSettings = Static<typeof WireDnsSettings>

export const WireAccountDnsSettings = namedObject('AccountDnsSettings', {
  zone_defaults: WireDnsSettings,
  enforce_dns_only: Type.Boolean(),
})
export type WireAccountDnsSettings = Static<typeof WireAccountDnsSettings>

// Request schemas check only the types of values. Ranges depend on the profile and on current settings, so rules
// check them, and all violations are reported together.
const seconds = (description: string) =>
  Type.Optional(Type.Integer({ description: `Seconds. ${description}` }))

const SoaPatch = Type.Object({
  mname: Type.Optional(
    nullable(
      Type.String({
        description:
          'null = the zone’s first name server. In an account’s defaults, an empty string means the same.',
        examples: ['ns1.example.net'],
      }),
    ),
  ),
  rname: Type.Optional(
    nullable(
      Type.String({
        description: `${RNAME} An e-mail address is accepted too. null = hostmaster of the zone; in an account’s defaults, an empty string means the same.`,
        examples: ['hostmaster.example.com', 'dns.team@example.com'],
      }),
    ),
  ),
  refresh: seconds('600 to 86400.'),
  retry: seconds('600 to 3600 (profile vendor: to 86400), at most `refresh`.'),
  expire: seconds('86400 to 2419200, at least `refresh`.'),
  min_ttl: seconds('60 to 86400.'),
  ttl: seconds('1800 to 3600 (profile vendor: 300 to 86400).'),
})

export const DnsSettingsPatch = Type.Object({
  flatten_all_cnames: Type.Optional(
    Type.Boolean({ description: 'Answers every CNAME with the addresses of its target.' }),
  ),
  foundation_dns: Type.Optional(Type.Boolean({ description: 'Not supported: true is refused.' })),
  internal_dns: Type.Optional(
    nullable(
      Type.Object(
        { reference_zone_id: Type.Optional(nullable(Type.String())) },
        { description: 'Not supported: a reference zone is refused.' },
      ),
    ),
  ),
  multi_provider: Type.Optional(
    Type.Boolean({ description: 'Answers the NS records at the apex in addition to the assigned ones.' }),
  ),
  nameservers: Type.Optional(
    Type.Object({
      type: Type.Optional(
        Type.String({
          description:
            '`cloudflare.standard`: those of this server. `custom.zone`: those in the zone’s `vanity_name_servers`, if it has any.',
        }),
      ),
      ns_set: Type.Optional(
        nullable(
          Type.Integer({
            description:
              'The number of the zone’s set of nameservers in the server’s configuration, from 1. Nodes that had the zone answer it until they start again.',
          }),
        ),
      ),
    }),
  ),
  ns_ttl: seconds('30 to 86400.'),
  secondary_overrides: Type.Optional(Type.Boolean({ description: 'Only for secondary zones.' })),
  soa: Type.Optional(Type.Unsafe<Static<typeof SoaPatch>>({ ...SoaPatch, description: 'Enterprise only.' })),
  zone_mode: Type.Optional(
    Type.String({
      description: `One of ${ZONE_MODES.map((mode) => `\`${mode}\``).join(', ')}.`,
      examples: ZONE_MODES,
    }),
  ),
})
export type DnsSettingsPatch = Static<typeof DnsSettingsPatch>

export const AccountDnsSettingsPatch = Type.Object({
  zone_defaults: Type.Optional(DnsSettingsPatch),
  enforce_dns_only: Type.Optional(
    Type.Boolean({ description: 'Answers every proxied record of the account as if it were not proxied.' }),
  ),
})
export type AccountDnsSettingsPatch = Static<typeof AccountDnsSettingsPatch>

const section = {
  tag: 'DNS settings',
  params: { zone_id: objectId('the zone'), account_id: objectId('the account') },
}

export const dnsSettings = operations('dns_settings', section, {
  get: {
    route: 'GET /zones/{zone_id}/dns_settings',
    summary: 'Get a zone’s DNS settings',
    permission: {
      on: 'zone',
      anyOf: ['Zone DNS Settings Read', 'Zone DNS Settings Write', 'DNS Read', 'DNS Write'],
    },
    result: WireDnsSettings,
  },
  patch: {
    route: 'PATCH /zones/{zone_id}/dns_settings',
    summary: 'Edit a zone’s DNS settings',
    description:
      'Members that are not sent, also within `soa`, are not changed. Answers change before the reply is sent, and the serial increases by one.',
    permission: { on: 'zone', anyOf: ['Zone DNS Settings Write', 'DNS Write'] },
    body: DnsSettingsPatch,
    result: WireDnsSettings,
  },
})

const zoneDigest = Type.Boolean({
  description:
    'Transfers of the zone contain a digest of it (ZONEMD, RFC 8976; simple scheme, SHA-384), with which secondaries verify what they have received. It is answered too, in place of ZONEMD records that are stored at the apex.',
})

export const WireOwnDnsSettings = namedObject('OwnDnsSettings', { zone_digest: zoneDigest })
export type WireOwnDnsSettings = Static<typeof WireOwnDnsSettings>

export const OwnDnsSettingsPatch = closedObject({ zone_digest: Type.Optional(zoneDigest) })
export type OwnDnsSettingsPatch = Static<typeof OwnDnsSettingsPatch>

/** Settings that only this server has. */
export const ownDnsSettings = operations('own_dns_settings', section, {
  get: {
    route: 'GET /zonereeve/zones/{zone_id}/dns_settings',
    summary: 'Get the DNS settings of a zone that only this server has',
    permission: {
      on: 'zone',
      anyOf: ['Zone DNS Settings Read', 'Zone DNS Settings Write', 'DNS Read', 'DNS Write'],
    },
    result: WireOwnDnsSettings,
  },
  patch: {
    route: 'PATCH /zonereeve/zones/{zone_id}/dns_settings',
    summary: 'Edit the DNS settings of a zone that only this server has',
    description:
      'Members that are not sent are not changed. The serial increases by one if a setting changes.',
    permission: { on: 'zone', anyOf: ['Zone DNS Settings Write', 'DNS Write'] },
    body: OwnDnsSettingsPatch,
    result: WireOwnDnsSettings,
  },
})

export const accountDnsSettings = operations('account_dns_settings', section, {
  get: {
    route: 'GET /accounts/{account_id}/dns_settings',
    summary: 'Get an account’s DNS settings for new zones',
    permission: { on: 'account', anyOf: ['Account DNS Settings Read', 'Account DNS Settings Write'] },
    result: WireAccountDnsSettings,
  },
  patch: {
    route: 'PATCH /accounts/{account_id}/dns_settings',
    summary: 'Edit an account’s DNS settings for new zones',
    description: 'Existing zones keep their settings; `enforce_dns_only` applies to all of them at once.',
    permission: { on: 'account', anyOf: ['Account DNS Settings Write'] },
    body: AccountDnsSettingsPatch,
    result: WireAccountDnsSettings,
  },
})
