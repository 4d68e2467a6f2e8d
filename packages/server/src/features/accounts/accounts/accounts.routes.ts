// HTTP routes for accounts and memberships.
import { accounts as operations, type WireAccount, type WireMembership } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { Account, Membership } from './accounts.store.ts'
import type { AccountDefinition, Accounts } from './accounts.service.ts'

const PER_PAGE = 20

export function accountRoutes(accounts: Accounts): Route[] {
  return [
    route(operations.list, async ({ caller, query }) => {
      const all = (await accounts.list(caller)).filter(
        ({ name }) => query.name === undefined || name === query.name,
      )
      return pageOf(inDirection(all, query.direction).map(toWireAccount), query, PER_PAGE)
    }),
    route(operations.create, async ({ caller, body, actor }) => ({
      result: toWireAccount(await accounts.create(toDefinition(body), caller.userId, actor)),
    })),
    route(operations.get, async ({ params }) => ({
      result: toWireAccount(await accounts.get(params.account_id)),
    })),
    route(operations.update, async ({ params, body, actor }) => ({
      result: toWireAccount(await accounts.update(params.account_id, toDefinition(body), actor)),
    })),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.account_id, accounts.remove(params.account_id, actor)),
    ),
    route(operations.memberships, async ({ caller, query }) => {
      const desired = (await accounts.memberships(caller)).filter(
        ({ account }) =>
          query.status !== 'pending' &&
          (query['account.name'] === undefined || account.name === query['account.name']),
      )
      return pageOf(inDirection(desired, query.direction).map(toWireMembership), query, PER_PAGE)
    }),
  ]
}

const inDirection = <T>(all: T[], direction?: 'asc' | 'desc'): T[] =>
  direction === 'desc' ? all.toReversed() : all

interface WireDraft {
  readonly name: string
  readonly type?: 'standard' | 'enterprise'
  readonly settings?: { readonly enforce_twofactor?: boolean; readonly abuse_contact_email?: string | null }
}

function toDefinition({ name, type, settings }: WireDraft): AccountDefinition {
  const { enforce_twofactor: twoFactor, abuse_contact_email: contact } = settings ?? {}
  return {
    name,
    ...(type === undefined ? {} : { type }),
    settings: {
      ...(twoFactor === undefined ? {} : { enforceTwoFactor: twoFactor }),
      ...(contact === undefined ? {} : { abuseContactEmail: contact }),
    },
  }
}

function toWireAccount(account: Account): WireAccount {
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    settings: {
      enforce_twofactor: account.settings.enforceTwoFactor,
      // Omitted rather than null: typed clients accept only a string.
      ...(account.settings.abuseContactEmail === null
        ? {}
        : { abuse_contact_email: account.settings.abuseContactEmail }),
    },
    created_on: account.createdOn,
  }
}

function toWireMembership({ id, account }: Membership): WireMembership {
  const all = { read: true, write: true }
  return {
    id,
    status: 'accepted',
    account: toWireAccount(account),
    roles: ['Super Administrator - All Privileges'],
    permissions: { dns_records: all, zone: all, zone_settings: all, organization: all, waf: all },
  }
}
