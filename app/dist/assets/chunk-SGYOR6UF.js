import{$ as l,C as i,m as e}from"./chunk-QO72ZXLR.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
