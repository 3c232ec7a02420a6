import{C as i,K as l,m as e}from"./chunk-6JIAJZEL.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
