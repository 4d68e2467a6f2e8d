// Copies a text, and says so.
import { useEffect, useState } from 'react'
import { strings } from '../strings.ts'

const SHOWN_MILLIS = 2_000

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  /** What is copied, for readers who hear many of these buttons. */
  readonly of?: string
  /** `link` in rows of tables. */
  readonly look?: 'btn' | 'link'
}

export function CopyButton({ text, label = strings.newZone.copy, of, look = 'btn' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MILLIS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <button type="button" className={look} onClick={() => void copy()}>
      {isCopied ? strings.newZone.copied : label}
      {of !== undefined && <span className="vh">{of}</span>}
    </button>
  )
}
