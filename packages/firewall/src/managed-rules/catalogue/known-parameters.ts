// Parameter names of known applications, and values that are never valid in them.
import type { RequestPart } from '../request-parts.ts'

export const SQL_START = String.raw`^[-+]?[\w.]{0,40}['")]*[ (]*(?:union|and|or|having|order by|group by|;|\|\|)\b?[ ('"\d]`
export const ANY_SQL = String.raw`\b(?:union(?: all)? select|select\b.{1,80}\bfrom\b|sleep ?\(|benchmark ?\(|information_schema|extractvalue ?\(|updatexml ?\()`
export const REMOTE = String.raw`^(?:https?|ftps?|ftp|php|data|expect|zlib|phar|ogg|rar|gopher|dict|smb)://?`
export const UPWARDS = String.raw`(?:^|/)\.\.(?:/|$)`
export const SYSTEM_FILE = String.raw`(?:^|/)(?:etc/(?:passwd|shadow|hosts|group|issue)|proc/(?:self|version|\d+)/|windows/win\.ini|winnt/|boot\.ini)`
export const SCRIPT = String.raw`<(?:script|svg|img|iframe|body|object|embed)\b|["'][\s/]*on[a-z]{3,20} ?=|javascript:`

export const NUMBERED: readonly RequestPart[] = [
  'arg:id',
  'arg:cid',
  'arg:catid',
  'arg:itemid',
  'arg:gid',
  'arg:aid',
  'arg:pid',
  'arg:list[fullordering]',
  'arg:list[select]',
]
export const FILES: readonly RequestPart[] = [
  'arg:file',
  'arg:filename',
  'arg:path',
  'arg:page',
  'arg:include',
  'arg:inc',
  'arg:template',
  'arg:tpl',
  'arg:document',
  'arg:folder',
  'arg:dir',
  'arg:lang',
  'arg:language',
  'arg:locale',
  'arg:style',
  'arg:module',
  'arg:load',
  'arg:read',
  'arg:download',
  'arg:pdf',
  'arg:doc',
  'arg:img',
  'arg:image',
  'arg:view',
  'arg:content',
  'arg:layout',
  'arg:conf',
  'arg:theme',
  'arg:controller',
]
export const STRINGS: readonly RequestPart[] = [
  'arg:q',
  'arg:s',
  'arg:search',
  'arg:query',
  'arg:keyword',
  'arg:keywords',
  'arg:name',
  'arg:title',
  'arg:message',
  'arg:msg',
  'arg:error',
  'arg:comment',
  'arg:text',
  'arg:subject',
  'arg:term',
]
export const REDIRECTS: readonly RequestPart[] = [
  'arg:url',
  'arg:next',
  'arg:redirect',
  'arg:redirect_uri',
  'arg:return',
  'arg:returnurl',
  'arg:return_to',
  'arg:goto',
  'arg:back',
  'arg:continue',
  'arg:dest',
  'arg:destination',
  'arg:callback',
  'arg:link',
  'arg:href',
  'arg:src',
]
