#include "tools/report/page_script.h"

/* Tables whose headings are buttons: a click, or Enter, sorts by that column, the largest
 * numbers first; another one reverses it. Numbers with units have their value in data-v. */
const char page_script[] =
    "'use strict';\n"
    "const number=t=>{const n=parseFloat(t);return Number.isNaN(n)?null:n};\n"
    "const order=(a,b,down)=>{\n"
    " if(a===null||b===null)return(a===null)-(b===null);\n"
    " const d=typeof a==='number'&&typeof "
    "b==='number'?a-b:String(a).localeCompare(String(b));\n"
    " return down?-d:d};\n"
    "const mark=(th,down)=>{\n"
    " for(const o of th.parentNode.children)o.removeAttribute('aria-sort');\n"
    " th.setAttribute('aria-sort',down?'descending':'ascending')};\n"
    "const direction=(th,numeric)=>{const s=th.getAttribute('aria-sort');\n"
    " return s?s!=='descending':numeric};\n"
    "for(const table of document.querySelectorAll('table.s')){\n"
    " const body=table.tBodies[0],heads=[...table.tHead.rows[0].cells];\n"
    " heads.forEach((th,c)=>th.firstElementChild.addEventListener('click',()=>{\n"
    "  const numeric=th.classList.contains('n'),down=direction(th,numeric);\n"
    "  const value=r=>{const d=r.cells[c];\n"
    "   const t=d.dataset.v===undefined?d.textContent:d.dataset.v;\n"
    "   return numeric?number(t):t};\n"
    "  const rows=[...body.rows].map((r,i)=>[value(r),i,r]);\n"
    "  rows.sort((a,b)=>order(a[0],b[0],down)||a[1]-b[1]);\n"
    "  body.append(...rows.map(r=>r[2]));mark(th,down)}))}\n";
