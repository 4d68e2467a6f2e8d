// Which account a page is about, if there are several.
import { strings } from '../strings.ts'

interface Account {
  readonly id: string
  readonly name: string
}

interface AccountChoiceProps {
  /** Absent while they are awaited. */
  readonly accounts: readonly Account[] | undefined
  readonly chosen: Account | undefined
  readonly onChoose: (id: string) => void
}

export function AccountChoice({ accounts, chosen, onChoose }: AccountChoiceProps) {
  if (accounts === undefined || chosen === undefined || accounts.length < 2) return null
  return (
    <select
      className="sel auto"
      aria-label={strings.account}
      value={chosen.id}
      onChange={({ target }) => onChoose(target.value)}
    >
      {accounts.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
