// The link at the end of a table's row that deletes what the row shows.
interface RemoveButtonProps {
  readonly text: string
  /** What is read out: rows have the same text. */
  readonly label: string
  readonly isBusy: boolean
  readonly onRemove: () => void
}

export function RemoveButton({ text, label, isBusy, onRemove }: RemoveButtonProps) {
  return (
    <button type="button" className="link" aria-label={label} disabled={isBusy} onClick={onRemove}>
      {text}
    </button>
  )
}
