import{F as i,da as l,o as e}from"./chunk-ZXVF43H3.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
