// The link at the end of a table's row that changes what the row shows: deletes it, or turns it on or off.
import type { Ref } from 'react'

interface RowButtonProps {
  readonly text: string
  /** What is read out: rows have the same text. */
  readonly label: string
  readonly isBusy: boolean
  readonly onPress: () => void
  readonly ref?: Ref<HTMLButtonElement> | undefined
}

export function RowButton({ text, label, isBusy, onPress, ref }: RowButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      className="link"
      aria-label={label}
      // A disabled button would lose the focus.
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) onPress()
      }}
    >
      {text}
    </button>
  )
}
