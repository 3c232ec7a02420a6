function o(t,c){let e=document.createElement("a");e.href=URL.createObjectURL(t),e.download=c,e.click(),URL.revokeObjectURL(e.href)}export{o as a};
