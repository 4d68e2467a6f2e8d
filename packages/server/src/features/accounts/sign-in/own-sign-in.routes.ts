// HTTP routes by which users manage how they sign in.
import { signInUser as operations, type WireSignInUser } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../../http/index.ts'
import type { OwnSignIn, OwnSignIns } from './own-sign-in.service.ts'

export function ownSignInRoutes(own: OwnSignIns): Route[] {
  return [
    route(operations.get, async ({ caller }) => userReply(await own.get(caller))),
    route(operations.edit, async ({ caller, body, actor }) => userReply(await own.edit(caller, body, actor))),
    route(operations.setPassword, async ({ caller, body, actor }) =>
      userReply(await own.setPassword(caller, body.password, actor)),
    ),
    route(operations.startTotp, async ({ caller }) => {
      const { secret, uri, expiresOn } = await own.startTotp(caller)
      return { result: { secret, uri, expires_on: expiresOn } }
    }),
    route(operations.confirmTotp, async ({ caller, body, client, actor }) =>
      codesReply(await own.confirmTotp(caller, body.code, client.ip, actor)),
    ),
    route(operations.removeTotp, async ({ caller, actor }) => userReply(await own.removeTotp(caller, actor))),
    route(operations.renewRecoveryCodes, async ({ caller, actor }) =>
      codesReply(await own.renewRecoveryCodes(caller, actor)),
    ),
  ]
}

const codesReply = (codes: readonly string[]): Reply => ({ result: { recovery_codes: codes } })

const userReply = (own: OwnSignIn): Reply => ({ result: toWireSignInUser(own) })

const toWireSignInUser = ({ user, password, recoveryCodesLeft }: OwnSignIn): WireSignInUser => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  zone_roles: user.zoneRoles.map(({ zoneId, role }) => ({ zone_id: zoneId, role })),
  password_changed_on: password?.changedOn ?? null,
  totp: password?.needsCode === true,
  recovery_codes_left: recoveryCodesLeft,
})
