// DNS settings: how a zone's SOA, name servers and aliases are answered, and what an account's new zones begin with
// (specification §2.2, rules 2 and 7 and the SOA fields).
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, objectId, oneOf } from './primitives.ts'

export const ZONE_MODES = ['standard', 'cdn_only', 'dns_only'] as const

const tag = 'DNS settings'
const zonePath = Type.Object({ zone_id: objectId('the zone') })
const accountPath = Type.Object({ account_id: objectId('the account') })

const RNAME =
  'Mailbox of the administrator as a name: its first label is the local part, dots in which are written `\\.`.'

const WireSoa = Type.Object({
  mname: nullable(Type.String({ description: 'Primary name server; null = the zone’s first name server.' })),
  rname: Type.Optional(
    Type.String({ description: `${RNAME} Missing among an account’s defaults: hostmaster of each zone.` }),
  ),
  refresh: Type.Integer(),
  retry: Type.Integer(),
  expire: Type.Integer(),
  min_ttl: Type.Integer({ description: 'Seconds for which a negative answer is kept (RFC 2308).' }),
  ttl: Type.Integer({ description: 'TTL of the SOA record itself.' }),
})

export const WireDnsSettings = Type.Object(
  {
    flatten_all_cnames: Type.Boolean(),
    foundation_dns: Type.Literal(false),
    internal_dns: Type.Object({}),
    multi_provider: Type.Boolean(),
    nameservers: Type.Object({
      type: oneOf(['cloudflare.standard', 'custom.zone']),
      ns_set: Type.Optional(Type.Integer({ description: 'Not among an account’s defaults.' })),
    }),
    ns_ttl: Type.Integer(),
    secondary_overrides: Type.Boolean(),
    soa: WireSoa,
    zone_mode: oneOf(ZONE_MODES),
  },
  { $id: 'DnsSettings', title: 'DnsSettings' },
)
export type WireDnsSettings = Static<typeof WireDnsSettings>

export const WireAccountDnsSettings = Type.Object(
  { zone_defaults: WireDnsSettings, enforce_dns_only: Type.Boolean() },
  { $id: 'AccountDnsSettings', title: 'AccountDnsSettings' },
)
export type WireAccountDnsSettings = Static<typeof WireAccountDnsSettings>

// Schemas of requests know kinds of values only. Ranges depend on the profile and on what is set already, so the
// rules judge them, and every broken one is told at once.
const seconds = (description: string) =>
  Type.Optional(Type.Integer({ description: `Seconds. ${description}` }))

const SoaPatch = Type.Object({
  mname: Type.Optional(nullable(Type.String({ examples: ['ns1.example.net'] }))),
  rname: Type.Optional(
    nullable(
      Type.String({
        description: `${RNAME} An e-mail address is understood too. null = hostmaster of the zone.`,
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
    Type.Boolean({ description: 'Answers every CNAME with the addresses behind it.' }),
  ),
  foundation_dns: Type.Optional(Type.Boolean({ description: 'Not offered: true is refused.' })),
  internal_dns: Type.Optional(
    nullable(
      Type.Object(
        { reference_zone_id: Type.Optional(nullable(Type.String())) },
        { description: 'Not offered: a reference zone is refused.' },
      ),
    ),
  ),
  multi_provider: Type.Optional(
    Type.Boolean({ description: 'Answers the NS records at the apex beside the assigned ones.' }),
  ),
  nameservers: Type.Optional(
    Type.Object({
      type: Type.Optional(
        Type.String({
          description:
            '`cloudflare.standard`: those of this server. `custom.zone`: those of the zone’s `vanity_name_servers`, while it has any.',
        }),
      ),
      ns_set: Type.Optional(nullable(Type.Integer({ description: 'There is one set: 1.' }))),
    }),
  ),
  ns_ttl: seconds('30 to 86400.'),
  secondary_overrides: Type.Optional(Type.Boolean({ description: 'For secondary zones only.' })),
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
    Type.Boolean({ description: 'Answers every proxied record of the account as if it were not.' }),
  ),
})
export type AccountDnsSettingsPatch = Static<typeof AccountDnsSettingsPatch>

export const dnsSettings = {
  get: operation({
    id: 'dns_settings.get',
    method: 'GET',
    path: '/zones/{zone_id}/dns_settings',
    summary: 'Get a zone’s DNS settings',
    tag,
    permission: {
      on: 'zone',
      anyOf: ['Zone DNS Settings Read', 'Zone DNS Settings Write', 'DNS Read', 'DNS Write'],
    },
    params: zonePath,
    result: WireDnsSettings,
  }),
  patch: operation({
    id: 'dns_settings.patch',
    method: 'PATCH',
    path: '/zones/{zone_id}/dns_settings',
    summary: 'Edit a zone’s DNS settings',
    description:
      'Members that are not sent stay, also within `soa`. Answers change before the reply is sent, and the serial moves by one.',
    tag,
    permission: { on: 'zone', anyOf: ['Zone DNS Settings Write', 'DNS Write'] },
    params: zonePath,
    body: DnsSettingsPatch,
    result: WireDnsSettings,
  }),
}

export const accountDnsSettings = {
  get: operation({
    id: 'account_dns_settings.get',
    method: 'GET',
    path: '/accounts/{account_id}/dns_settings',
    summary: 'Get the DNS settings that new zones of an account begin with',
    tag,
    permission: { on: 'account', anyOf: ['Account DNS Settings Read', 'Account DNS Settings Write'] },
    params: accountPath,
    result: WireAccountDnsSettings,
  }),
  patch: operation({
    id: 'account_dns_settings.patch',
    method: 'PATCH',
    path: '/accounts/{account_id}/dns_settings',
    summary: 'Edit the DNS settings that new zones of an account begin with',
    description: 'Zones that exist keep theirs; `enforce_dns_only` acts on all of them at once.',
    tag,
    permission: { on: 'account', anyOf: ['Account DNS Settings Write'] },
    params: accountPath,
    body: AccountDnsSettingsPatch,
    result: WireAccountDnsSettings,
  }),
}
