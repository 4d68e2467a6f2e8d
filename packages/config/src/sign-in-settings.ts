// Settings for signing in at an identity provider (OpenID Connect).
import { matching, oneOf, partsOf, setting } from './setting.ts'

const CLIENT = /^[!-~]{0,200}$/
const SCOPES = /^openid( [!-~]+)*$/
const NAME = /^\P{Cc}{0,60}$/u
const DOMAIN = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const MAPPING = /^([^:\s]+:[^=,]+=(owner|admin|editor|viewer)(,[^=,]+=(owner|admin|editor|viewer))*)?$/
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export const SIGN_IN_SETTINGS = {
  oidcIssuer: setting({
    name: 'oidc-issuer',
    placeholder: 'url',
    description: 'identity provider (OpenID Connect) at which users can sign in; needs --oidc-client-id',
    default: '',
    parse: parseIssuer,
  }),
  oidcClientId: setting({
    name: 'oidc-client-id',
    placeholder: 'id',
    description: 'ID of this server at the identity provider; its redirect URI is PUBLIC-URL/sign-in',
    default: '',
    parse: (text) => matching(text, CLIENT, 'must be at most 200 printable characters without whitespace'),
  }),
  oidcClientSecret: setting({
    name: 'oidc-client-secret',
    description: 'secret of this server at the identity provider; without one, it is a public client',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, CLIENT, 'must be at most 200 printable characters without whitespace'),
  }),
  oidcName: setting({
    name: 'oidc-name',
    placeholder: 'name',
    description: 'name of the identity provider on the sign-in page; default: its host',
    default: '',
    parse: (text) => matching(text, NAME, 'must be at most 60 characters'),
  }),
  oidcScopes: setting({
    name: 'oidc-scopes',
    placeholder: 'scopes',
    description: 'what the identity provider is asked for, separated by spaces, with openid first',
    default: 'openid email profile',
    parse: (text) => matching(text, SCOPES, 'must start with openid, like "openid email profile groups"'),
  }),
  oidcRoles: setting({
    name: 'oidc-roles',
    placeholder: 'mapping',
    description:
      'roles by values of a claim, CLAIM:VALUE=ROLE,…, like groups:dns-admins=admin,staff=viewer; users without one are refused; default: roles are given here',
    default: '',
    parse: (text) =>
      matching(text, MAPPING, 'must be CLAIM:VALUE=ROLE,…, like groups:dns-admins=admin,staff=viewer'),
  }),
  oidcDomains: setting({
    name: 'oidc-domains',
    placeholder: 'domains',
    description: 'domains of verified e-mail addresses that may sign in, separated by commas; default: any',
    default: '',
    parse: parseDomains,
  }),
  oidcNewUsers: setting({
    name: 'oidc-new-users',
    placeholder: 'mode',
    description:
      'link (a first sign-in needs a user with the verified e-mail address), create (makes one), or off (neither)',
    default: 'link',
    parse: (text) => oneOf(text, ['link', 'create', 'off']),
  }),
} as const

function parseIssuer(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!isSafe || url?.search !== '' || url.hash !== '')
    throw new Error('must be an https URL, like https://login.example.com; http only on this machine')
  return text
}

function parseDomains(text: string): readonly string[] {
  const domains = partsOf(text.toLowerCase())
  const wrong = domains.find((domain) => !DOMAIN.test(domain))
  if (wrong !== undefined) throw new Error(`"${wrong}" is not a domain, like example.com`)
  return domains
}
