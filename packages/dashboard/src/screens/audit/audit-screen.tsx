// The audit log: who did what, filtered by the server, with the detail of an entry in its place.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { auditExportPath, auditList, type WireAuditLog } from '../../api/audit.ts'
import { ApiError } from '../../api/call.ts'
import { useAccount } from '../../parts/account.tsx'
import { AccountChoice } from '../../parts/account-choice.tsx'
import { MarkHead } from '../../parts/mark-head.tsx'
import { OlderButton } from '../../parts/older-button.tsx'
import { NoMatch } from '../../parts/no-match.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { auditStrings as text } from '../../strings/audit.ts'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { isFiltered, readAuditFilter } from './audit-filter.ts'
import { AuditRow } from './audit-row.tsx'
import { ChainCheck } from './chain-check.tsx'

export function AuditScreen() {
  const search = useSearch({ from: '/frame/audit' })
  const filter = useMemo(() => readAuditFilter(search), [search])
  const navigate = useNavigate({ from: '/audit' })
  const { accounts, account, instead, error: accountError } = useAccount(search.account)
  const choose = (id: string): void =>
    void navigate({ search: (last) => ({ ...last, account: id, entry: undefined }) })
  const list = useInfiniteQuery({
    ...auditList(account?.id ?? 'none', filter), // not asked before the accounts are known
    enabled: account !== undefined,
    placeholderData: keepPreviousData,
  })
  const entries = account && list.data?.pages.flatMap(({ result }) => result)
  const total = list.data?.pages[0]?.info?.total_count
  const [isChecking, setChecking] = useState(false)
  const error = accountError ?? list.error
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <>
      <title>{`${text.title} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro}>
        <AccountChoice accounts={accounts} chosen={account} onChoose={choose} />
        {!isForbidden && (
          <>
            <a className="btn" href={auditExportPath} download>
              {text.export}
            </a>
            <button type="button" className="btn" onClick={() => setChecking(true)}>
              {text.check.button}
            </button>
          </>
        )}
      </PageHead>
      {isChecking && <ChainCheck onClose={() => setChecking(false)} />}
      {!isForbidden && instead}
      {isForbidden && <p className="pad soft">{text.forbidden}</p>}
      {list.error !== null && !isForbidden && (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      )}
      {account !== undefined && !isForbidden && <AuditFilterBar found={total} />}
      {account !== undefined && list.isLoading && <Loading />}
      {entries?.length === 0 && isFiltered(search) && <NoMatch text={text.noMatch} clear={text.clear} />}
      {entries?.length === 0 && !isFiltered(search) && (
        <Empty headline={text.none} detail={text.noneDetail} />
      )}
      {entries !== undefined && entries.length > 0 && (
        <AuditTable entries={entries} isOld={list.isPlaceholderData} opened={search.entry} />
      )}
      <OlderButton text={text.older} list={list} />
    </>
  )
}

interface AuditTableProps {
  readonly entries: readonly WireAuditLog[]
  /** Whether another filter's answer is still awaited. */
  readonly isOld: boolean
  readonly opened: string | undefined
}

function AuditTable({ entries, isOld, opened }: AuditTableProps) {
  const { columns } = text
  return (
    <table className={isOld ? 'reg audit old' : 'reg audit'}>
      <thead>
        <tr>
          <MarkHead />
          <th className="w264">{columns.action}</th>
          <th>{columns.actor}</th>
          <th className="w232">{columns.target}</th>
          <th className="w152 o1">{columns.address}</th>
          <th className="w104 o1">{columns.result}</th>
          <th className="w88 num">{columns.when}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} isOpen={entry.id === opened} />
        ))}
      </tbody>
    </table>
  )
}
