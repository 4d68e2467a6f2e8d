// Transfers of a zone: who gets it or where it comes from, who is behind, and the account's peers and keys.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { peersOf } from '../../api/transfers.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { transferStrings as text } from '../../strings/transfers.ts'
import { Acls } from './acls.tsx'
import { Incoming } from './incoming.tsx'
import { Outgoing } from './outgoing.tsx'
import { Peers } from './peers.tsx'
import { TsigKeys } from './tsig-keys.tsx'

export function TransfersScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const accountId = zone.account.id
  const peers = useQuery(peersOf(accountId))
  const isSecondary = zone.type === 'secondary'
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={isSecondary ? text.intro.secondary : text.intro.primary} />
      {isSecondary && <Incoming zone={zone} peers={peers.data} />}
      <Outgoing zone={zone} peers={peers.data} />
      {peers.error !== null && <Failure error={peers.error} onRetry={() => void peers.refetch()} />}
      {peers.data !== undefined && <Peers accountId={accountId} peers={peers.data} />}
      <TsigKeys accountId={accountId} />
      <Acls accountId={accountId} />
    </>
  )
}
