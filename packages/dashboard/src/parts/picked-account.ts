// The account that the address of a page names, or else the first one.

interface Account {
  readonly id: string
  readonly name: string
}

interface Picked {
  /** To choose from. */
  readonly accounts: readonly Account[] | undefined
  /** Undefined while accounts are awaited, and if there is no such account. */
  readonly account: Account | undefined
}

/**
 * @param accounts undefined while they are awaited
 * @param max How many the list has at most: an account that a full list lacks may exist.
 */
export function pickAccount(
  accounts: readonly Account[] | undefined,
  asked: string | undefined,
  max: number,
): Picked {
  if (accounts === undefined || asked === undefined) return { accounts, account: accounts?.[0] }
  const listed = accounts.find(({ id }) => id === asked)
  if (listed !== undefined || accounts.length < max) return { accounts, account: listed }
  const account = { id: asked, name: asked }
  return { accounts: [...accounts, account], account }
}
