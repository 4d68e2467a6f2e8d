// The account that a page is about, and what the page shows in its place.
import { useQuery } from '@tanstack/react-query'
import { accountList, MAX_LISTED_ACCOUNTS } from '../api/zones.ts'
import { strings } from '../strings.ts'
import { pickAccount } from './picked-account.ts'
import { Empty, Failure, Loading } from './states.tsx'

/**
 * @param asked the account that the address names
 * @returns with `instead`, which is null once there is an account, and the error of the list of accounts
 */
export function useAccount(asked: string | undefined) {
  const { data, error, refetch } = useQuery(accountList)
  const picked = pickAccount(data, asked, MAX_LISTED_ACCOUNTS)
  return { ...picked, error, instead: picked.account === undefined ? missing() : null }

  function missing() {
    if (data !== undefined)
      return <Empty headline={strings.states.noAccount} detail={strings.states.noAccountDetail} />
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />
  }
}
