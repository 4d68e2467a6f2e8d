// The link at the end of a table's row that changes what the row shows: deletes it, or turns it on or off.
interface RowButtonProps {
  readonly text: string
  /** What is read out: rows have the same text. */
  readonly label: string
  readonly isBusy: boolean
  readonly onPress: () => void
}

export function RowButton({ text, label, isBusy, onPress }: RowButtonProps) {
  return (
    <button type="button" className="link" aria-label={label} disabled={isBusy} onClick={onPress}>
      {text}
    </button>
  )
}
