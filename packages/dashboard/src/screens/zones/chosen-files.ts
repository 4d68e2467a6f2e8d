// The files that are chosen for import: each is read, and previewed with the name of its zone.
import { useEffect, useRef, useState } from 'react'
import type { ImportResult } from './import-run.ts'
import { originOf, previewOf, zoneNameOf, type FilePreview } from './zone-files.ts'

interface ReadFile {
  readonly fileName: string
  readonly text: string
  /** As it is typed. */
  readonly zone: string
  /** Why the file has no text. */
  readonly unread?: string
}

export interface ChosenFile extends ReadFile {
  readonly key: number
  /** Absent while the file is read, and without a valid name. */
  readonly preview?: FilePreview
  /** Why there is no preview. */
  readonly problem?: string
  readonly result?: ImportResult
}

/** A file that cannot be read keeps its row, which says why: the other files are read all the same. */
export async function readChosen(file: Pick<File, 'name' | 'text'>): Promise<ReadFile> {
  try {
    const text = await file.text()
    return { fileName: file.name, text, zone: zoneNameOf(text, file.name) }
  } catch (error) {
    return { fileName: file.name, text: '', zone: '', unread: problemOf(error) }
  }
}

export const needsPreview = ({ zone, unread, preview, problem }: Omit<ChosenFile, 'key'>): boolean =>
  unread === undefined && preview === undefined && problem === undefined && originOf(zone) !== undefined

/** @returns undefined if it is not wanted any more */
export async function previewChosen(
  { text, zone }: Pick<ReadFile, 'text' | 'zone'>,
  signal: AbortSignal,
  read = previewOf,
): Promise<Pick<ChosenFile, 'preview' | 'problem'> | undefined> {
  const origin = originOf(zone)
  if (origin === undefined) return undefined
  try {
    const preview = await read(text, origin, signal)
    return signal.aborted ? undefined : { preview }
  } catch (error) {
    return signal.aborted ? undefined : { problem: problemOf(error) }
  }
}

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Previews follow the names of the zones: names in a file are relative to them. */
export function useChosenFiles() {
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const nextKey = useRef(0)
  const change = (key: number, changes: Partial<ChosenFile>): void =>
    setFiles((last) => last.map((file) => (file.key === key ? { ...file, ...changes } : file)))
  const pending = files.find(needsPreview)
  useEffect(() => {
    if (pending === undefined) return undefined
    const controller = new AbortController()
    void previewChosen(pending, controller.signal).then(
      (changes) => changes !== undefined && change(pending.key, changes),
    )
    return () => controller.abort()
  }, [pending])
  return {
    files,
    async add(chosen: readonly File[]): Promise<void> {
      for (const file of chosen) {
        const added = await readChosen(file)
        const key = nextKey.current
        nextKey.current += 1
        setFiles((last) => [...last, { ...added, key }])
      }
    },
    change(key: number, { zone, ...others }: Partial<ChosenFile>): void {
      if (zone === undefined) return change(key, others)
      // What was read with another name is not true any more.
      setFiles((last) =>
        last.map((file) => {
          if (file.key !== key) return file
          const { preview: _, problem: __, ...rest } = file
          return { ...rest, zone }
        }),
      )
    },
    remove: (key: number) => setFiles((last) => last.filter((file) => file.key !== key)),
  }
}
