// A page about one account, with a choice if there are several.
import type { ReactNode } from 'react'
import { strings } from '../strings.ts'
import { useAccount } from './account.tsx'
import { AccountChoice } from './account-choice.tsx'
import { PageHead } from './page-head.tsx'

type Account = NonNullable<ReturnType<typeof useAccount>['account']>

interface AccountPageProps {
  readonly title: string
  readonly intro: string
  /** The account that the address names. */
  readonly asked: string | undefined
  readonly onChoose: (id: string) => void
  readonly children: (account: Account) => ReactNode
}

export function AccountPage({ title, intro, asked, onChoose, children }: AccountPageProps) {
  const { accounts, account, instead } = useAccount(asked)
  return (
    <>
      <title>{`${title} · ${strings.product}`}</title>
      <PageHead title={title} intro={intro}>
        <AccountChoice accounts={accounts} chosen={account} onChoose={onChoose} />
      </PageHead>
      {instead}
      {account !== undefined && children(account)}
    </>
  )
}
