// Parameter names of known applications, and values that are never valid in them.
import type { RequestPart } from '../request-parts.ts'

export const SQL_START = String.raw`^[-+]?[\w.]{0,40}['")]*[ (]*(?:union|and|or|having|order by|group by|;|\|\|)\b?[ ('"\d]`
export const ANY_SQL = String.raw`\b(?:union(?: all)? select|select\b.{1,80}\bfrom\b|sleep ?\(|benchmark ?\(|information_schema|extractvalue ?\(|updatexml ?\()`
export const REMOTE = String.raw`^(?:https?|ftps?|ftp|php|data|expect|zlib|phar|ogg|rar|gopher|dict|smb)://?`
export const UPWARDS = String.raw`(?:^|/)\.\.(?:/|$)`
export const SYSTEM_FILE = String.raw`(?:^|/)(?:etc/(?:passwd|shadow|hosts|group|issue)|proc/(?:self|version|\d+)/|windows/win\.ini|winnt/|boot\.ini)`
export const SCRIPT = String.raw`<(?:script|svg|img|iframe|body|object|embed)\b|["'][\s/]*on[a-z]{3,20} ?=|javascript:`

export const NUMBERED = parameters(`id cid catid itemid gid aid pid list[fullordering] list[select]`)
export const FILES = parameters(`
  file filename path page include inc template tpl document folder dir lang language locale style module load
  read download pdf doc img image view content layout conf theme controller
`)
export const STRINGS = parameters(`
  q s search query keyword keywords name title message msg error comment text subject term
`)
export const REDIRECTS = parameters(`
  url next redirect redirect_uri return returnurl return_to goto back continue dest destination callback link
  href src
`)

function parameters(names: string): readonly RequestPart[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `arg:${name}` as const)
}
