// OWASP XSS Attacks: input that a browser would run if it were inserted into a page unescaped.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { ATTRIBUTE, INPUT, INPUT_AND_HEADERS, MARKUP, TEXT } from './views.ts'

export const XSS_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.xssAttacks, tags: ['xss'] }, [
  {
    ids: ['1900401', '4df9e388d11099dcfdd99c6ef5c9eb44', 'c10439176a9435a9fe14d337d40d4cfe'],
    description: 'XSS - Script element',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`<(?:[a-z]{1,8}:)?script\b[^>]{0,400}`,
  },
  {
    ids: ['1900402', '5b32478152d101212475e63c9d853477', '17507bc86e70f97b0cb01719d1c55aa2'],
    description: 'XSS - Handler of an event in an element',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`<[a-z!/?][^<>]{0,400}[\s"'/\x60]on[a-z]{3,25} ?=`,
  },
  {
    ids: ['1900403', '5e88160986dc6c71a7df4dd1ac2bdb14', '98b91890c0a4039e06cf31acf30af124'],
    description: 'XSS - Quote that ends an attribute, then a handler of an event',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      ["'\x60][\s/>]*(?:\bstyle ?=[^>]{0,80})?\bon(?:error|load|click|focus|mouse[a-z]+|key[a-z]+|blur|change|submit|toggle|start|begin|end|animation[a-z]+|transition[a-z]+|pointer[a-z]+|wheel|copy|cut|paste|drag[a-z]*|drop|input|invalid|select|scroll[a-z]*|resize|hashchange|message|popstate|unload|beforeunload|pageshow|pagehide|auxclick|contextmenu|dblclick|play|touch[a-z]+) ?=
    `,
  },
  {
    ids: ['1900404', 'b967d55335621d8d0ebd74c18936b02d', '1728dfcbc6bb77596ffd270337fb3d1c'],
    description: 'XSS - Script scheme in an address',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT_AND_HEADERS, ATTRIBUTE)`
      (?:^|["'=(,;\x60>])(?:javascript|vbscript|livescript|jscript):
      data:(?:text/(?:html|javascript|xml)|image/svg\+xml)[^,]{0,40},
    `,
  },
  {
    ids: ['1900405', '6fc5d61290a94e7f26585a0784f434e2', 'b296fce06ae8e4bfe30eb88011fa5be6'],
    description: 'XSS - Frame, object, embedded document or form target',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      <(?:iframe|frame|frameset|object|embed|applet|portal|fencedframe|base|isindex)\b[^>]{0,300}
    `,
  },
  {
    ids: ['1900406', '199ff3217cae2cf36d72954a7617464f', 'b941119ff8a348a7b1d7991e1d52a69e'],
    description: 'XSS - Vector image, mathematics or animation that can carry a script',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      <(?:svg|math|animate|set|animatetransform|foreignobject|use|image|marquee|details|video|audio|body|bgsound|keygen|template|noscript|xss|x)[\s/>]?[^>]{0,300}(?:\bon[a-z]{3,25} ?=|xlink:href|href ?=|\bto ?=|\bvalues ?=|attributename)
    `,
  },
  {
    ids: ['1900407', 'd80bfd0ab6f24ba8115248508a3ff667', 'f16fe9ea4636bb6ac35854bbbd395db1'],
    description: 'XSS - Call of a function that shows or runs',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      (?:^|[^a-z0-9_.])(?:alert|confirm|prompt|eval|print|settimeout|setinterval|fetch|import|atob)(?:\(|\x60)[^)]{0,60}(?:document|cookie|domain|location|origin|\d[)\x60]|['"]?xss|window|this|atob|string\.fromcharcode)
    `,
  },
  {
    ids: ['1900408', '01141a62a2d023d7c6a7d6e8cbd35abc', '96702e8ea1c95306a534695a45c0b918'],
    description: 'XSS - Members of the page that scripts steal from or write to',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      \bdocument(?:\.|\[['"]?)(?:cookie|domain|write(?:ln)?|location|body|baseuri|documentelement|createelement|getelement|queryselector)
      \b(?:window|self|top|parent|frames|globalthis)(?:\.|\[['"\x60/]) ?(?:alert|eval|location|name|open|document|settimeout)
      \.(?:inner|outer)html ?=
    `,
  },
  {
    ids: ['1900409', 'f0418c6759ffa1aa1d639db9f784485e', '8bfbcecaca42fb349b06e111f04af2cc'],
    description: 'XSS - Script put together from codes or pieces',
    weight: { level: 1, score: 5 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      string ?\.? ?fromcharcode ?\(
      \[['"\x60](?:constructor|filter|map|sort|at|find|concat)['"\x60]\]\[?
      \b(?:atob|unescape|decodeuri(?:component)?) ?\( ?['"\x60]
      \[\]\[\(?(?:!\[\]|!!\[\]|\[\])
      \bfunction ?\( ?['"\x60].{1,80}\) ?\(
      (?:ale|eva|con|pro)['"\x60] ?\+ ?['"\x60](?:rt|l|firm|mpt)
    `,
  },
  {
    ids: ['1900410', 'ab7f0d16d094f97af3667cbd7c359678', '25a50c489fb1146cc5215d291145c03a'],
    description: 'XSS - Style that runs a script',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT_AND_HEADERS, MARKUP)`
      \bexpression ?\(.{0,80}\)
      -moz-binding ?:
      \bbehavior ?: ?url
      <style[^>]{0,80}>.{0,200}(?:@import|expression|javascript:|url ?\()
      <(?:link|meta)\b[^>]{0,200}(?:stylesheet|import|refresh|http-equiv|preload)
    `,
  },
  {
    ids: ['1900411', '60576f7b88c1311e0a9a918aa5550b2d', '2076628f6cb171bb452ea6244b8699fa'],
    description: 'XSS - Handler of an event after a break in the element name',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT_AND_HEADERS, ATTRIBUTE)`
      <[a-z][^<>]{0,300}?(?:["'/\x60]|[a-z0-9])on(?:error|load|click|focus|mouseover|mouseenter|toggle|begin|start|animationstart|animationend|pointerover|pointerenter|wheel)=
    `,
  },
  {
    ids: ['1900412', '2737273cb175b4d8bdfac350a98cddde', '74037eef5b5247e0e96ea6c716f011df'],
    description: 'XSS - Markup hidden in character references or escapes',
    weight: { level: 1, score: 4 },
    detection: pattern(INPUT, TEXT)`
      &#x?0*(?:3c|60);?[a-z/!]
      (?:\\u003c|\\x3c)(?:script|img|svg|iframe|a\b|/)
      (?:&#x?[0-9a-f]{2,6};?){5,}
      \+adw-
    `,
  },
  {
    ids: ['1900413', '2938a8fa09800133b20d5c6ec6f71780', '7957a74d67fb6d7e3a80ebf5ffe99af9'],
    description: 'XSS - Template of a page framework that reaches its constructor',
    weight: { level: 1, score: 5 },
    tags: ['xss', 'template-injection'],
    detection: pattern(INPUT, MARKUP)`
      \{\{.{0,120}(?:constructor|\$on|\$eval|alert|prototype|charat)\b.{0,200}\}\}
      \bng-(?:app|init|click|focus|csp)\b ?=?
      \bv-(?:html|on:[a-z]+) ?=
    `,
  },
  {
    ids: ['1900414', 'c2ab1543afcfb922659d3593ea9f8c7b', '77f61d60f2f0546ca73bef699503958a'],
    description: 'XSS - Names of events with a value, outside of any element',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, MARKUP)`
      (?:^|[\s"'/\x60;])on(?:error|load|click|focus|mouseover|mouseenter|blur|submit|toggle|animationstart|pointerover) ?= ?['"]?[a-z(\x60]
    `,
  },
  {
    ids: ['1900415', 'e4362d7de5e69873878b47325c490890', '320884ccf1a50be7622267466e29f210'],
    description: 'XSS - Image, anchor or form with an address from elsewhere',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, MARKUP)`
      <(?:img|a|area|form|input|button|link|source|track|image)\b[^>]{0,200}(?:src|href|action|formaction|srcset|lowsrc|dynsrc) ?= ?["']?(?:https?:)?//
    `,
  },
  {
    ids: ['1900416', '1e788ef0807ac758b12411513b8c073d', '451efd7e0ac98510290680298c58f06a'],
    description: 'XSS - Markup that only matters to old browsers',
    weight: { level: 2, score: 2 },
    detection: pattern(INPUT, MARKUP)`
      <\?(?:xml|import)\b
      <!\[cdata\[
      <!--\[if\b
      <(?:xml|layer|ilayer|bgsound|comment)\b
    `,
  },
  {
    ids: ['1900417', 'c0ea49a4e907fa8df9362ed55e24fa50', '2390e4a64c997b15d25d003f99f640f4'],
    description: 'XSS - Assignment to a location or a cookie',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, MARKUP)`
      \b(?:location|cookie|name|src|href)(?:\.(?:href|hash|search|assign|replace))? ?(?:=|\() ?(?:['"\x60]|document|window|location|name\b|//)
    `,
  },
  {
    ids: ['1900418', '40640a4d3fdd75b39cbed0407871aa9f', '2fbdb21e4f591d23aa82a2a6626776de'],
    description: 'XSS - Call without brackets',
    weight: { level: 2, score: 3 },
    detection: pattern(INPUT, MARKUP)`
      \b(?:alert|confirm|prompt|eval|settimeout|throw|import)[ ]?\x60
      \bthrow ?(?:onerror|\{|/\*)
      onerror ?= ?(?:eval|alert)
    `,
  },
  {
    ids: ['1900419', 'e1f5a4f8f8af332de15c06be7d05c474', '73e9ee0b50d24452ead465e89fde0794'],
    description: 'XSS - Any element',
    weight: { level: 3, score: 2 },
    detection: pattern(['args', 'cookies'], MARKUP)`<[a-z][a-z0-9-]{0,20}(?:[\s/][^>]{0,200})?>`,
  },
  {
    ids: ['1900420', '41e6f815fb28d96fea62e249a55599e6', '3be2291d12766ff44617312408871124'],
    description: 'XSS - Angle brackets, quotes and brackets together',
    weight: { level: 4, score: 2 },
    detection: pattern(['args', 'cookies'], TEXT)`[<>][^<>]{0,80}["'\x60(][^<>]{0,80}[<>)]`,
  },
])
