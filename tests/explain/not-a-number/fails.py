# throws: ValueError "cannot convert float NaN to integer"
int(float("nan"))
