// The button below a list that grows: fetches the next, older page.
interface OlderButtonProps {
  readonly text: string
  /** The list, as an infinite query has it. */
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
}

export function OlderButton({ text, list }: OlderButtonProps) {
  if (!list.hasNextPage) return null
  return (
    <p className="pad older">
      <button
        type="button"
        className="btn"
        disabled={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {text}
      </button>
    </p>
  )
}
