// Permission groups: what a token's policies allow, and what each operation requires. IDs are the public API's own if
// it has one, so that existing token definitions keep working.

export const PERMISSION_SCOPES = {
  user: 'com.cloudflare.api.user',
  account: 'com.cloudflare.api.account',
  zone: 'com.cloudflare.api.account.zone',
} as const
export type PermissionScope = keyof typeof PERMISSION_SCOPES

export interface PermissionGroup {
  readonly id: string
  readonly name: string
  readonly scope: PermissionScope
}

const group = <const N extends string>(
  name: N,
  scope: PermissionScope,
  id: string,
): PermissionGroup & { readonly name: N } => ({ id, name, scope })

export const PERMISSION_GROUPS = [
  group('ACME Challenges Write', 'zone', '6f1d2c0b9e8a4d7385c4b3a2918f7e60'),
  group('API Tokens Read', 'user', '0cc3a61731504c89b99ec1be78b77aa0'),
  group('API Tokens Write', 'user', '686d18d5ac6c441c867cbf6771e58a0a'),
  group('Account API Tokens Read', 'account', 'eb56a6953c034b9d97dd838155666f06'),
  group('Account API Tokens Write', 'account', '5bc3f8b21c554832afc660159ab75fa4'),
  group('Account DNS Settings Read', 'account', 'cfa964bcdafc4ab39704e7476154e41b'),
  group('Account DNS Settings Write', 'account', 'dc44f27f48ab405392a5f69fe822bd01'),
  group('Account Firewall Access Rules Read', 'account', 'de7a688cc47d43bd9ea700b467a09c96'),
  group('Account Firewall Access Rules Write', 'account', 'a416acf9ef5a4af19fb11ed3b96b1fe6'),
  group('Account Rule Lists Read', 'account', '4f1071168de8466e9808de86febfc516'),
  group('Account Rule Lists Write', 'account', '2edbf20661fd4661b0fe10e9e12f485c'),
  group('Account Rulesets Read', 'account', 'fb39996ee9044d2a8725921e02744b39'),
  group('Account Rulesets Write', 'account', '56907406c3d548ed902070ec4df0e328'),
  group('Account Settings Read', 'account', 'c1fde68c7bcc44588cbb6ddbc16d6480'),
  group('Account Settings Write', 'account', '1af1fa2adc104452b74a9a3364202f20'),
  group('Account WAF Read', 'account', '56b2af4817c84ad99187911dc3986c23'),
  group('Account WAF Write', 'account', 'cde8c82463b6414ca06e46b9633f52a6'),
  group('DNS Read', 'zone', '82e64a83756745bbbb1c9c2701bf816b'),
  group('DNS Write', 'zone', '4755a26eedb94da69e1066d98aa820be'),
  group('Domain Page Shield', 'zone', '6134079371904d8ebd77931c8ca07e50'),
  group('Domain Page Shield Read', 'zone', '945315185a8f40518bf3e9e6d0bee126'),
  group('Edge Decide', 'zone', 'b7d0f3a2c95e4e0d8a61f4c27e93d5b8'),
  group('Firewall Services Read', 'zone', '4ec32dfcb35641c5bb32d5ef1ab963b4'),
  group('Firewall Services Write', 'zone', '43137f8d07884d3198dc0ee77ca6e79b'),
  group('Memberships Read', 'user', '3518d0f75557482e952c6762d3e64903'),
  group('Memberships Write', 'user', '9201bc6f42d440968aaab0c6f17ebb1d'),
  group('Page Rules Read', 'zone', 'b415b70a4fd1412886f164451f20405c'),
  group('Page Rules Write', 'zone', 'ed07f6c337da4195b4e72a1fb2c6bcae'),
  group('User Details Read', 'user', '8acbe5bb0d54464ab867149d7f7cf8ac'),
  group('User Details Write', 'user', '55a5e17cc99e4a3fa1f3432d262f2e55'),
  group('Users Read', 'account', '5d1f0c8a7b3e4f6a9c2d8e1b4a7f3c60'),
  group('Users Write', 'account', '9a4e7c2b1d8f4b3a8e6c5f0d2b7a1e94'),
  group('Zone DNS Settings Read', 'zone', '0a6cfe8cd3ed445e918579e2fb13087b'),
  group('Zone DNS Settings Write', 'zone', 'c4df38be41c247b3b4b7702e76eadae0'),
  group('Zone Read', 'zone', 'c8fed203ed3043cba015a93ad1616f1f'),
  group('Zone Settings Read', 'zone', '517b21aee92c4d89936c976ba6e4be55'),
  group('Zone Settings Write', 'zone', '3030687196b94b638145a3953da2b699'),
  group('Zone WAF Read', 'zone', 'dbc512b354774852af2b5a5f4ba3d470'),
  group('Zone WAF Write', 'zone', 'fb6778dc191143babbfaa57993f1d275'),
  group('Zone Write', 'zone', 'e6d2666161e84845a636613608cee8d5'),
] as const
export type PermissionGroupName = (typeof PERMISSION_GROUPS)[number]['name']
